// node:url over the global URL.
export const URL = globalThis.URL;
export const URLSearchParams = globalThis.URLSearchParams;

export function fileURLToPath(url) {
  const u = typeof url === "string" ? new URL(url) : url;
  if (u?.protocol !== "file:") throw Object.assign(new TypeError("The URL must be of scheme file"), { code: "ERR_INVALID_URL_SCHEME" });
  if (/%2f/i.test(u.pathname)) throw Object.assign(new TypeError("File URL path must not include encoded / characters"), { code: "ERR_INVALID_FILE_URL_PATH" });
  return decodeURIComponent(u.pathname);
}

export function pathToFileURL(path) {
  const absolute = String(path).startsWith("/") ? String(path) : process.cwd() + "/" + path;
  const u = new URL("file:///");
  u.pathname = absolute.replaceAll("%", "%25").replaceAll("\\", "%5C").replaceAll("?", "%3F").replaceAll("#", "%23").replaceAll("\n", "%0A");
  return u;
}

export const domainToASCII = (domain) => __bdk.sync("url.ascii", String(domain));
export const domainToUnicode = (domain) => __bdk.sync("url.unicode", String(domain));

export const urlToHttpOptions = (u) => ({
  protocol: u.protocol, hostname: u.hostname, hash: u.hash, search: u.search, pathname: u.pathname,
  path: u.pathname + u.search, href: u.href, ...(u.port ? { port: Number(u.port) } : {}), ...(u.username ? { auth: `${u.username}:${u.password}` } : {}),
});

// parse is the old API: fields are null where a part is missing.
export function parse(text, withQuery = false) {
  const u = URL.parse(text) ?? relative(text);
  // The default port of a scheme stays where it is written.
  const port = u.port || /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?[^/?#@:]*:(\d+)/i.exec(text)?.[1] || null;
  const host = u.host && port && !u.port ? `${u.hostname}:${port}` : u.host || null;
  const query = withQuery ? Object.fromEntries(new URLSearchParams(u.search)) : u.search ? u.search.slice(1) : null;
  return {
    protocol: u.protocol || null, slashes: u.host ? true : null, auth: u.username ? u.username + (u.password ? ":" + u.password : "") : null,
    host, port, hostname: u.hostname || null, hash: u.hash || null, search: u.search || null,
    query, pathname: u.pathname || null, path: (u.pathname || "") + (u.search || "") || null, href: host === u.host || !u.host ? u.href : u.href.replace(/^([^/]*\/\/(?:[^/?#@]*@)?)[^/?#]*/, `$1${host}`),
  };
}

function relative(text) {
  const [, pathname, search = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text);
  return { pathname, search, hash, href: text };
}

export const format = (u) => (typeof u === "string" || u instanceof URL ? String(u)
  : `${u.protocol ? u.protocol.replace(/:?$/, ":") : ""}${u.slashes || u.host || u.hostname ? "//" : ""}${u.auth ? u.auth + "@" : ""}${u.host ?? (u.hostname ?? "") + (u.port ? ":" + u.port : "")}${u.pathname ?? ""}${u.search ?? (u.query && Object.keys(u.query).length ? "?" + new URLSearchParams(u.query) : "")}${u.hash ?? ""}`);

export const resolve = (from, to) => {
  const base = URL.parse(from);
  if (base) return new URL(to, base).href;
  const u = new URL(to, new URL(from, "resolve://"));
  return u.protocol === "resolve:" ? u.pathname + u.search + u.hash : u.href;
};

export default { URL, URLSearchParams, fileURLToPath, pathToFileURL, domainToASCII, domainToUnicode, urlToHttpOptions, parse, format, resolve };
