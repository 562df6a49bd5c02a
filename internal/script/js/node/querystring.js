// node:querystring.
export const escape = (s) => encodeURIComponent(String(s).toWellFormed());
export const unescape = (s) => {
  try {
    return decodeURIComponent(s);
  } catch {
    return s;
  }
};

export function parse(text, separator = "&", equals = "=", options = {}) {
  const out = Object.create(null), decode = options?.decodeURIComponent ?? unescape;
  const most = options?.maxKeys ?? 1000, pairs = String(text ?? "").split(separator ?? "&").filter(Boolean);
  equals ??= "=";
  for (const pair of most > 0 ? pairs.slice(0, most) : pairs) {
    const i = pair.indexOf(equals);
    const [key, value] = (i < 0 ? [pair, ""] : [pair.slice(0, i), pair.slice(i + equals.length)]).map((x) => decode(x.replaceAll("+", " ")));
    if (!(key in out)) out[key] = value;
    else if (Array.isArray(out[key])) out[key].push(value);
    else out[key] = [out[key], value];
  }
  return out;
}

export function stringify(object, separator = "&", equals = "=", options = {}) {
  const encode = options?.encodeURIComponent ?? escape;
  const text = (v) => (["string", "boolean", "bigint"].includes(typeof v) || Number.isFinite(v) ? encode(String(v)) : "");
  return Object.entries(object ?? {}).flatMap(([k, v]) => (Array.isArray(v) ? v : [v]).map((x) => encode(k) + (equals ?? "=") + text(x))).join(separator ?? "&");
}

export const encode = stringify, decode = parse;
export default { escape, unescape, parse, stringify, encode, decode };
