// format joins arguments, with %s, %d, %i, %f, %j, %o and %O in the first.
import { custom, inspect } from "./inspect.js";

export function format(args, options) {
  let rest = [...args], text = "";
  if (typeof rest[0] === "string" && rest.length > 1) {
    text = rest.shift().replace(/%([sdifjoOc%])/g, (all, kind) => {
      if (kind === "%") return "%";
      if (rest.length === 0) return all;
      return convert(kind, rest.shift(), options);
    });
    if (rest.length === 0) return text;
    text += " ";
  }
  return text + rest.map((x) => (typeof x === "string" ? x : inspect(x, options))).join(" ");
}

function convert(kind, x, options) {
  switch (kind) {
    case "s": return asString(x, options);
    case "d": return typeof x === "bigint" ? `${x}n` : typeof x === "symbol" ? "NaN" : number(Number(typeof x === "object" && x !== null && !hasOwnText(x) ? NaN : x));
    case "i": return typeof x === "bigint" ? `${x}n` : typeof x === "symbol" ? "NaN" : number(parseInt(x, 10));
    case "f": return typeof x === "symbol" ? "NaN" : number(parseFloat(x));
    case "j": return json(x);
    case "c": return "";
    case "o": return inspect(x, { ...options, showHidden: true, depth: 4 });
  }
  return inspect(x, options);
}

const number = (n) => (Object.is(n, -0) ? "-0" : String(n));

function json(x) {
  try {
    return String(JSON.stringify(x));
  } catch (e) {
    if (String(e?.message).includes("circular")) return "[Circular]";
    throw e;
  }
}

function asString(x, options) {
  if (typeof x === "number") return number(x);
  if (typeof x === "bigint") return `${x}n`;
  if (typeof x !== "object" || x === null) return typeof x === "function" && !hasOwnText(x) ? Function.prototype.toString.call(x) : String(x);
  if (hasOwnText(x) && x[custom] === undefined) return String(x);
  return inspect(x, { ...options, depth: 0, colors: false });
}

// hasOwnText says whether an object has a toString that its author wrote.
function hasOwnText(x) {
  if (x instanceof Error || x instanceof Date) return true;
  const { toString } = x;
  return typeof toString === "function" && toString !== Object.prototype.toString && toString !== Array.prototype.toString && toString !== Function.prototype.toString && !String(toString).includes("[native code]");
}
