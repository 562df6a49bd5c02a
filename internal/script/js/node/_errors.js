// Errors the way Node gives them: with a code.
export const coded = (Type, code, message, more) => Object.assign(new Type(message), { code }, more);

export const received = (x) => (x === null || x === undefined ? ` Received ${x}` : typeof x === "function" ? ` Received function ${x.name}` : typeof x === "object" ? ` Received an instance of ${x.constructor?.name ?? "Object"}` : ` Received type ${typeof x} (${String(x).slice(0, 28)})`);

export const invalidType = (name, wanted, x) => coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "${name}" argument must be ${wanted}.${received(x)}`);

export const outOfRange = (name, range, x) => coded(RangeError, "ERR_OUT_OF_RANGE", `The value of "${name}" is out of range. It must be ${range}. Received ${String(x)}`);

// abortError is what a signal makes of what it ends.
export const abortError = (signal) => {
  const e = coded(Error, "ABORT_ERR", "The operation was aborted");
  e.name = "AbortError";
  if (signal) e.cause = signal.reason;
  return e;
};

export function needsFunction(f, name = "callback") {
  if (typeof f !== "function") throw invalidType(name, "of type function", f);
  return f;
}
