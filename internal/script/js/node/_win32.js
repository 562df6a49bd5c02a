// node:path's win32: paths with drives and backslashes, as texts.
const slash = (p) => p.replaceAll("/", "\\");

// cut splits a path into its root and the rest: "C:\\", "\\\\host\\share\\", "\\".
function cut(path) {
  const p = slash(path);
  const unc = /^\\\\[^\\]+\\[^\\]+\\?/.exec(p)?.[0];
  const root = unc ?? /^([A-Za-z]:)?\\?/.exec(p)[0];
  return { root, rest: p.slice(root.length) };
}

function tidy(rest, above) {
  const out = [];
  for (const part of rest.split("\\")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.length && out[out.length - 1] !== "..") out.pop();
    else if (above) out.push("..");
  }
  return out.join("\\");
}

export function makeWin32() {
  const isAbsolute = (path) => /^([A-Za-z]:)?[\\/]/.test(path);
  const normalize = (path) => {
    if (path === "") return ".";
    const { root, rest } = cut(path), body = tidy(rest, !root.endsWith("\\"));
    const end = /[\\/]$/.test(path) && body !== "" ? "\\" : "";
    return root + body + end || ".";
  };
  const join = (...all) => {
    const path = all.filter(Boolean).join("\\");
    return path === "" ? "." : normalize(path.replace(/^[\\/]{2,}(?=[^\\/]+$)/, "\\"));
  };
  const resolve = (...all) => {
    let path = "";
    for (const p of all) path = isAbsolute(p) || path === "" ? p : path + "\\" + p;
    if (!isAbsolute(path)) path = "C:\\" + path;
    const out = normalize(path);
    return out.length > 3 ? out.replace(/\\$/, "") : out;
  };
  const dirname = (path) => {
    const { root, rest } = cut(path), i = rest.replace(/\\+$/, "").lastIndexOf("\\");
    return i < 0 ? root || "." : root + rest.slice(0, i).replace(/\\+$/, "");
  };
  const basename = (path, suffix) => {
    const base = cut(path).rest.replace(/\\+$/, "").split("\\").pop();
    return suffix && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
  };
  const extname = (path) => {
    const base = basename(path), i = base.lastIndexOf(".");
    return i <= 0 || base === ".." ? "" : base.slice(i);
  };
  const relative = (from, to) => {
    const a = resolve(from).split("\\").filter(Boolean), b = resolve(to).split("\\").filter(Boolean);
    let same = 0;
    while (same < a.length && same < b.length && a[same].toLowerCase() === b[same].toLowerCase()) same++;
    if (same === 0) return resolve(to);
    return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("\\");
  };
  const parse = (path) => {
    const { root } = cut(path), base = basename(path), ext = extname(base), dir = dirname(path);
    return { root, dir: dir === "." && !path.startsWith(".") ? "" : dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
  };
  const format = ({ root = "", dir, base, name = "", ext = "" }) => {
    base ??= name + (ext && !ext.startsWith(".") ? "." + ext : ext);
    return dir ? (dir === root ? dir + base : dir + "\\" + base) : root + base;
  };
  return { sep: "\\", delimiter: ";", isAbsolute, normalize, join, resolve, dirname, basename, extname, relative, parse, format, toNamespacedPath: (path) => path };
}
