// inspect and format write values for logs the way Node's util does, near enough to read.
const deepest = 3, longest = 100;

export function inspect(value, options = {}) {
  const depth = options?.depth === null ? Infinity : options?.depth ?? deepest;
  return write(value, depth, []);
}

// format joins arguments, with %s, %d, %i, %f, %j, %o and %O in the first.
export function format(args) {
  let rest = [...args], text = "";
  if (typeof rest[0] === "string" && rest.length > 1) {
    const pattern = rest.shift();
    text = pattern.replace(/%([sdifjoOc%])/g, (all, kind) => {
      if (kind === "%") return "%";
      if (rest.length === 0) return all;
      return convert(kind, rest.shift());
    });
    if (rest.length === 0) return text;
    text += " ";
  }
  return text + rest.map((x) => (typeof x === "string" ? x : inspect(x))).join(" ");
}

function convert(kind, x) {
  switch (kind) {
    case "s": return typeof x === "object" && x !== null ? inspect(x, { depth: 0 }) : String(x);
    case "d": return typeof x === "bigint" ? `${x}n` : String(Number(x));
    case "i": return String(parseInt(x, 10));
    case "f": return String(parseFloat(x));
    case "j": return JSON.stringify(x);
    case "c": return "";
  }
  return inspect(x);
}

function write(x, depth, open) {
  switch (typeof x) {
    case "string": return quote(x);
    case "bigint": return `${x}n`;
    case "symbol": return x.toString();
    case "function": return named(x);
    case "object": return x === null ? "null" : object(x, depth, open);
  }
  return Object.is(x, -0) ? "-0" : String(x);
}

// named writes a function; a part of ctx that is not bound refuses to be asked.
function named(f) {
  try {
    return f.name ? `[Function: ${f.name}]` : "[Function (anonymous)]";
  } catch {
    return "[not available]";
  }
}

const quote = (s) => (s.includes("'") ? JSON.stringify(s) : "'" + JSON.stringify(s).slice(1, -1).replaceAll('\\"', '"') + "'");

function object(x, depth, open) {
  if (open.includes(x)) return "[Circular]";
  if (x instanceof Error) return error(x, depth, open);
  if (x instanceof Date) return Number.isNaN(x.getTime()) ? "Invalid Date" : x.toISOString();
  if (x instanceof RegExp) return String(x);
  if (x instanceof Promise) return "Promise {}";
  const name = x.constructor?.name ?? "[Object: null prototype]";
  if (open.length > depth) return Array.isArray(x) ? "[Array]" : `[${name}]`;
  open = [...open, x];
  const item = (v) => write(v, depth, open);
  if (Array.isArray(x)) return x.length === 0 ? "[]" : list("[ ", x.slice(0, longest).map(item), x.length, " ]");
  if (x instanceof Map) return `Map(${x.size}) ` + list("{ ", [...x].slice(0, longest).map(([k, v]) => `${item(k)} => ${item(v)}`), x.size, " }");
  if (x instanceof Set) return `Set(${x.size}) ` + list("{ ", [...x].slice(0, longest).map(item), x.size, " }");
  if (ArrayBuffer.isView(x) && !(x instanceof DataView)) return `${name}(${x.length}) ` + list("[ ", [...x.subarray(0, longest)].map(item), x.length, " ]");
  const keys = Object.keys(x);
  const fields = keys.slice(0, longest).map((k) => `${/^[A-Za-z_$][\w$]*$/.test(k) ? k : quote(k)}: ${item(x[k])}`);
  const prefix = name === "Object" ? "" : name + " ";
  return prefix + (fields.length ? list("{ ", fields, keys.length, " }") : "{}");
}

const list = (before, items, size, after) =>
  before + items.join(", ") + (size > items.length ? `, … ${size - items.length} more` : "") + after;

function error(e, depth, open) {
  const text = `${e.name}: ${e.message}`;
  const stack = globalThis.__bdk.sync("log.stack", String(e.stack ?? ""));
  const cause = e.cause === undefined ? "" : `\n  [cause]: ${write(e.cause, depth, [...open, e])}`;
  return text + (stack ? "\n" + stack : "") + cause;
}
