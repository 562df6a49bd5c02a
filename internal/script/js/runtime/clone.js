// structuredClone, for the values that it is used on.
const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

globalThis.structuredClone = function structuredClone(value, options) {
  if (arguments.length === 0) throw Object.assign(new TypeError('The "value" argument must be specified'), { code: "ERR_MISSING_ARGS" });
  const copy = clone(value, new Map());
  for (const b of options?.transfer ?? []) if (b instanceof ArrayBuffer) b.transfer();
  return copy;
};

function clone(x, seen) {
  if (typeof x === "function" || typeof x === "symbol") throw refuse(x);
  if (x === null || typeof x !== "object") return x;
  if (seen.has(x)) return seen.get(x);
  const keep = (copy) => (seen.set(x, copy), copy);
  if (x instanceof Date) return keep(new Date(x.getTime()));
  if (x instanceof RegExp) return keep(new RegExp(x.source, x.flags));
  if (x instanceof ArrayBuffer) return keep(x.slice(0));
  if (ArrayBuffer.isView(x)) return keep(view(x, seen));
  if (x instanceof Boolean || x instanceof Number || x instanceof String) return keep(Object(x.valueOf()));
  if (x instanceof Map) {
    const copy = keep(new Map());
    for (const [k, v] of x) copy.set(clone(k, seen), clone(v, seen));
    return copy;
  }
  if (x instanceof Set) {
    const copy = keep(new Set());
    for (const v of x) copy.add(clone(v, seen));
    return copy;
  }
  if (x instanceof Error) return error(x, keep, seen);
  if (x instanceof Promise || x instanceof WeakMap || x instanceof WeakSet || x instanceof WeakRef) throw refuse(x);
  const copy = keep(Array.isArray(x) ? new Array(x.length) : {});
  for (const key of Object.keys(x)) copy[key] = clone(x[key], seen);
  return copy;
}

function view(x, seen) {
  const buffer = clone(x.buffer, seen);
  if (x instanceof DataView) return new DataView(buffer, x.byteOffset, x.byteLength);
  const Type = Object.getPrototypeOf(Uint8Array.prototype).constructor && globalThis[x[Symbol.toStringTag]];
  return new Type(buffer, x.byteOffset, x.length);
}

function error(x, keep, seen) {
  const copy = keep(new (errors[x.name] ?? Error)(x.message));
  if (typeof x.stack === "string") Object.defineProperty(copy, "stack", { value: x.stack, writable: true, configurable: true });
  if ("cause" in x) copy.cause = clone(x.cause, seen);
  return copy;
}

const refuse = (x) => new DOMException(`${typeof x === "symbol" ? x.toString() : typeof x === "function" ? x.name || "a function" : "the object"} could not be cloned.`, "DataCloneError");
