// node:assert.
import { isDeepEqual, isDeepStrictEqual } from "./_equal.js";

export class AssertionError extends Error {
  constructor({ message, actual, expected, operator }) {
    super(message);
    this.name = "AssertionError";
    this.code = "ERR_ASSERTION";
    Object.assign(this, { actual, expected, operator, generatedMessage: !message });
  }
}

const show = (x) => __bdk.inspect(x);

function fail(message, fallback, actual, expected, operator) {
  if (message instanceof Error) throw message;
  throw new AssertionError({ message: message ?? fallback, actual, expected, operator });
}

const check = (holds, operator, text) => (actual, expected, message) => {
  if (!holds(actual, expected)) fail(message, `${text}:\n\n${show(actual)}\n\n${show(expected)}\n`, actual, expected, operator);
};

export function ok(value, message) {
  if (!value) fail(message, "The expression evaluated to a falsy value", value, true, "==");
}
export const equal = check((a, b) => a == b || (a !== a && b !== b), "==", "Expected values to be loosely equal");
export const notEqual = check((a, b) => !(a == b), "!=", "Expected values to differ loosely");
export const strictEqual = check(Object.is, "strictEqual", "Expected values to be strictly equal");
export const notStrictEqual = check((a, b) => !Object.is(a, b), "notStrictEqual", "Expected values to differ strictly");
export const deepEqual = check(isDeepEqual, "deepEqual", "Expected values to be loosely deep-equal");
export const deepStrictEqual = check(isDeepStrictEqual, "deepStrictEqual", "Expected values to be strictly deep-equal");
export const notDeepEqual = check((a, b) => !isDeepEqual(a, b), "notDeepEqual", "Expected values not to be deep-equal");
export const notDeepStrictEqual = check((a, b) => !isDeepStrictEqual(a, b), "notDeepStrictEqual", "Expected values not to be strictly deep-equal");
export const match = check((text, pattern) => pattern.test(text), "match", "The input did not match the pattern");
export const doesNotMatch = check((text, pattern) => !pattern.test(text), "doesNotMatch", "The input was not to match the pattern");

function fits(e, expected) {
  if (expected === undefined || typeof expected === "string") return true;
  if (expected instanceof RegExp) return expected.test(String(e));
  if (typeof expected === "function") return expected.prototype !== undefined && e instanceof expected ? true : Error.isPrototypeOf(expected) ? false : expected(e) === true;
  return Object.keys(expected).every((k) => (expected[k] instanceof RegExp ? expected[k].test(e[k]) : isDeepStrictEqual(e[k], expected[k])));
}

export function throws(f, expected, message) {
  try {
    f();
  } catch (e) {
    if (!fits(e, expected)) throw e;
    return;
  }
  fail(typeof expected === "string" ? expected : message, "Missing expected exception.", undefined, expected, "throws");
}

export async function rejects(f, expected, message) {
  try {
    await (typeof f === "function" ? f() : f);
  } catch (e) {
    if (!fits(e, expected)) throw e;
    return;
  }
  fail(typeof expected === "string" ? expected : message, "Missing expected rejection.", undefined, expected, "rejects");
}

export function doesNotThrow(f, message) {
  try {
    f();
  } catch (e) {
    fail(message, `Got unwanted exception: ${e?.message}`, e, undefined, "doesNotThrow");
  }
}
export const doesNotReject = async (f) => { await (typeof f === "function" ? f() : f); };
export const ifError = (e) => { if (e !== null && e !== undefined) throw e; };
const failed = (message) => fail(message, "Failed", undefined, undefined, "fail");
export { failed as fail };

const assert = Object.assign((value, message) => ok(value, message), {
  AssertionError, ok, equal, notEqual, strictEqual, notStrictEqual, deepEqual, deepStrictEqual, notDeepEqual, notDeepStrictEqual,
  match, doesNotMatch, throws, rejects, doesNotThrow, doesNotReject, ifError, fail: failed,
});
const strictly = Object.assign((value, message) => ok(value, message), assert, { equal: strictEqual, notEqual: notStrictEqual, deepEqual: deepStrictEqual, notDeepEqual: notDeepStrictEqual });
strictly.strict = assert.strict = strictly;
export const strict = strictly;
export default assert;
