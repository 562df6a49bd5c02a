// encode writes a result as JSON. BigInts keep their digits. What JSON.stringify
// would lose without a word is refused: NaN and Infinity, Maps and Sets
// anywhere, a function or symbol in place of the whole. what names the value.
import { contains, cut, Date, find, isArray, isFinite, keys, Map, rawJSON, Set, String, stringify, Table, TypeError } from "./primordials.js";

export function encode(value, what = "the result") {
  if (typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`${what} is a ${typeof value}, which JSON cannot express`);
  }
  let text;
  try {
    text = stringify(value);
  } catch (e) {
    if (!holdsBigInt(e)) throw e;
    text = stringify(value, (_, x) => (typeof x === "bigint" ? rawJSON(`${x}`) : x));
  }
  if (text === undefined) return "null";
  if (contains(text, "\\ud")) text = withoutHalves(text);
  if (contains(text, "null") || contains(text, "{}")) refuseLost(value, what, "", new Table());
  return text;
}

// withoutHalves puts U+FFFD in the place of a lone half of a pair, such as one of an
// emoji that was cut through, which stringify escapes: others refuse it.
function withoutHalves(text) {
  let out = "", from = 0;
  for (let i = find(text, "\\", 0); i >= 0; i = find(text, "\\", i + 2)) {
    if (text[i + 1] !== "u" || text[i + 2] !== "d") continue;
    out += cut(text, from, i) + "\ufffd";
    from = i + 6;
    i += 4;
  }
  return out + cut(text, from);
}

const holdsBigInt = (e) => e instanceof TypeError && typeof e.message === "string" && (contains(e.message, "BigInt") || contains(e.message, "bigint"));

// refuseLost looks for what became null or {} on the way.
function refuseLost(value, what, path, seen) {
  if (typeof value === "number" && !isFinite(value)) throw lost(what, value, path, "");
  if (value === null || typeof value !== "object" || seen.has(value)) return;
  seen.set(value, true);
  if (typeof value.toJSON === "function") return refuseLost(value instanceof Date ? null : value.toJSON(), what, path, seen);
  if (value instanceof Map) throw lost(what, "a Map", path, "; use Object.fromEntries(map) or [...map]");
  if (value instanceof Set) throw lost(what, "a Set", path, "; use [...set]");
  if (isArray(value)) {
    for (let i = 0; i < value.length; i++) refuseLost(value[i], what, `${path}[${i}]`, seen);
    return;
  }
  const names = keys(value);
  for (let i = 0; i < names.length; i++) refuseLost(value[names[i]], what, path ? `${path}.${names[i]}` : names[i], seen);
}

function lost(what, found, path, instead) {
  const verb = path || typeof found === "number" ? "holds" : "is";
  return new TypeError(`${what} ${verb} ${String(found)}${path ? " at " + path : ""}, which JSON cannot express${instead}`);
}
