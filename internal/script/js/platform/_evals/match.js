// Deep comparison of what happened with what a test expects. Strings are compared by
// their code units, so é as one character is not é as two; NaN is NaN and -0 is 0.
import { kindOf, show } from "./show.js";

// Unsure is thrown where nobody can say whether a value fits: a predicate threw, or
// wants to be awaited. It holds in neither direction.
class Unsure extends Error {}

// sure gives the miss that f says, or why nobody can say it: {miss} or {doubt}.
export function sure(f) {
  try {
    return { miss: f() };
  } catch (e) {
    if (e instanceof Unsure) return { doubt: e.message };
    throw e;
  }
}

const isObject = (x) => x !== null && typeof x === "object";
export const isThenable = (x) => isObject(x) && typeof x.then === "function";
export const isExpectation = (x) => isObject(x) && typeof x.check === "string" && typeof x.evaluate === "function";

// mismatch says where a value does not fit what is expected, empty where it does.
// Objects are partial: what the expected one does not name may be anything.
export const mismatch = (expected, value, path = "") => compare(expected, value, path, true);

// difference says where two values differ, empty where they are deeply the same.
export const difference = (expected, value) => compare(expected, value, "", false);

function compare(expected, value, path, partial) {
  if (partial && typeof expected === "function") return asked(expected, value, path);
  if (partial && isExpectation(expected)) return evaluated(expected, value, path);
  if (expected instanceof RegExp) {
    if (!partial && value instanceof RegExp) return String(expected) === String(value) ? "" : other(expected, value, path);
    return partial && tested(expected, value) ? "" : other(expected, value, path);
  }
  if (!isObject(expected)) return expected === value || Object.is(expected, value) ? "" : other(expected, value, path);
  if (expected["~standard"] !== undefined && partial) throw new TypeError("a schema is no matcher: use matches(schema)");
  if (Array.isArray(expected)) return items(expected, value, path, partial);
  if (typeof expected.toJSON === "function") return compare(expected.toJSON(), isObject(value) && typeof value.toJSON === "function" ? value.toJSON() : value, path, partial);
  return fields(expected, value, path, partial);
}

function items(expected, value, path, partial) {
  if (!Array.isArray(value)) return other(expected, value, path);
  if (value.length !== expected.length) return `${path || "it"} has ${value.length} items, not ${expected.length}`;
  for (let i = 0; i < expected.length; i++) {
    const found = compare(expected[i], value[i], `${path}[${i}]`, partial);
    if (found) return found;
  }
  return "";
}

function fields(expected, value, path, partial) {
  for (const Kind of [Map, Set]) {
    if (expected instanceof Kind) throw new TypeError(`a ${Kind.name} cannot be compared: give an array or an object`);
  }
  if (!isObject(value) || Array.isArray(value)) return other(expected, value, path);
  const at = (key) => (path ? `${path}.${key}` : key), names = Object.keys(expected);
  for (const key of names) {
    const has = Object.hasOwn(value, key);
    if (!has && expected[key] !== undefined && typeof expected[key] !== "function") return `${at(key)} is missing`;
    const found = compare(expected[key], has ? value[key] : undefined, at(key), partial);
    if (found) return found;
  }
  if (partial) return "";
  const extra = Object.keys(value).find((key) => value[key] !== undefined && !Object.hasOwn(expected, key));
  return extra === undefined ? "" : `${at(extra)} is not expected`;
}

// asked holds a value against a predicate.
function asked(predicate, value, path) {
  let answer;
  try {
    answer = predicate(value);
  } catch (e) {
    throw new Unsure(`the predicate ${path ? `of ${path} ` : ""}threw: ${e?.message ?? e}`);
  }
  if (isThenable(answer)) {
    answer.then(undefined, () => {});
    throw new TypeError("a predicate answers at once: this one gave a promise, which would hold whatever it says");
  }
  return answer ? "" : `${path || "it"} is ${show(value)}, which the predicate refuses`;
}

// evaluated holds a value against an expectation, such as includes("x").
function evaluated(expectation, value, path) {
  const found = expectation.evaluate(value);
  if (isThenable(found)) throw new TypeError(`${expectation.label} takes time, so it is no matcher: use t.check`);
  if (typeof found.score !== "boolean" && found.score !== 0 && found.score !== 1) throw new TypeError(`${expectation.label} gives a score, so it is no matcher: use t.check`);
  return Number(found.score) === 1 ? "" : `${path || "it"}: ${found.message || "does not fit " + expectation.label}`;
}

// tested holds a text against an expression, whatever its lastIndex is, and leaves that.
export function tested(expression, value) {
  if (typeof value === "number" || typeof value === "boolean") value = String(value);
  if (typeof value !== "string") return false;
  const { lastIndex } = expression;
  expression.lastIndex = 0;
  try {
    return expression.test(value);
  } finally {
    expression.lastIndex = lastIndex;
  }
}

function other(expected, value, path) {
  if (value === undefined) return `${path || "it"} is missing`;
  return `${path || "it"} is ${show(value)}, not ${expected instanceof RegExp ? "like " : ""}${isObject(value) || !isObject(expected) || expected instanceof RegExp ? show(expected) : kindOf(expected)}`;
}
