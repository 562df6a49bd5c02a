// node:util.
import { isDeepStrictEqual } from "./_equal.js";
import { coded, invalidType, needsFunction } from "./_errors.js";
import { parseArgs } from "./_parseargs.js";

export { isDeepStrictEqual };
export const inspect = Object.assign((...args) => __bdk.inspect(...args), { custom: Symbol.for("nodejs.util.inspect.custom"), defaultOptions: __bdk.inspectDefaults });
export const format = (...args) => __bdk.format(args);
export const formatWithOptions = (options, ...args) => __bdk.format(args, options);

const custom = Symbol.for("nodejs.util.promisify.custom");
export function promisify(f) {
  needsFunction(f, "original");
  if (f[custom]) return needsFunction(f[custom], "util.promisify.custom");
  const promised = function (...args) {
    return new Promise((resolve, reject) => f.call(this, ...args, (e, value) => (e ? reject(e) : resolve(value))));
  };
  Object.setPrototypeOf(promised, Object.getPrototypeOf(f));
  return Object.defineProperties(promised, { ...Object.getOwnPropertyDescriptors(f), [custom]: { value: promised, configurable: true } });
}
promisify.custom = custom;

export const callbackify = (f) => {
  needsFunction(f, "original");
  return function (...args) {
    const done = needsFunction(args.pop(), "last argument");
    const falsy = (reason) => coded(Error, "ERR_FALSY_VALUE_REJECTION", "Promise was rejected with falsy value", { reason });
    f.apply(this, args).then((x) => process.nextTick(done, null, x), (e) => process.nextTick(done, e || falsy(e)));
  };
};

export const inherits = (child, parent) => {
  if (typeof parent?.prototype !== "object") throw invalidType("superCtor", "of type function", parent);
  child.super_ = parent;
  Object.setPrototypeOf(child.prototype, parent.prototype);
};

const told = new Set();
export function deprecate(f, message, code) {
  const mark = code ?? {};
  return function (...args) {
    if (!told.has(mark)) console.warn(`DeprecationWarning: ${message}`);
    told.add(mark);
    return new.target ? Reflect.construct(f, args, new.target) : f.apply(this, args);
  };
}

export const debuglog = () => Object.assign(() => {}, { enabled: false });
export const debug = debuglog;
export const stripVTControlCharacters = (s) => s.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "");
export const toUSVString = (s) => String(s).toWellFormed();
const styles = { bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], inverse: [7, 27], black: [30, 39], red: [31, 39], green: [32, 39], yellow: [33, 39], blue: [34, 39], magenta: [35, 39], cyan: [36, 39], white: [37, 39], gray: [90, 39], grey: [90, 39] };
export const styleText = (format, text) => [format].flat().reduce((s, f) => {
  if (!styles[f]) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'format' must be one of: ${Object.keys(styles).join(", ")}. Received '${f}'`);
  return `\u001b[${styles[f][0]}m${s}\u001b[${styles[f][1]}m`;
}, String(text));
const { TextEncoder: Enc, TextDecoder: Dec } = globalThis;
export { Enc as TextEncoder, Dec as TextDecoder };
export const isArray = Array.isArray;

const tag = (x) => Object.prototype.toString.call(x).slice(8, -1);
const is = (name) => (x) => tag(x) === name;
export const types = {
  isPromise: (x) => x instanceof Promise, isRegExp: is("RegExp"), isDate: is("Date"), isMap: is("Map"), isSet: is("Set"),
  isNativeError: (x) => x instanceof Error, isProxy: () => false, isTypedArray: (x) => ArrayBuffer.isView(x) && !(x instanceof DataView),
  isUint8Array: (x) => x instanceof Uint8Array, isArrayBuffer: (x) => x instanceof ArrayBuffer, isAnyArrayBuffer: (x) => x instanceof ArrayBuffer || x instanceof SharedArrayBuffer,
  isArrayBufferView: ArrayBuffer.isView, isDataView: (x) => x instanceof DataView, isAsyncFunction: is("AsyncFunction"),
  isGeneratorFunction: is("GeneratorFunction"), isGeneratorObject: is("Generator"), isWeakMap: is("WeakMap"), isWeakSet: is("WeakSet"),
  isBoxedPrimitive: (x) => [Number, String, Boolean, Symbol, BigInt].some((T) => typeof x === "object" && x instanceof T), isSymbolObject: (x) => typeof x === "object" && x instanceof Symbol,
  isNumberObject: (x) => typeof x === "object" && x instanceof Number, isStringObject: (x) => typeof x === "object" && x instanceof String,
  isBooleanObject: (x) => typeof x === "object" && x instanceof Boolean, isBigIntObject: (x) => typeof x === "object" && x instanceof BigInt,
  isSharedArrayBuffer: (x) => x instanceof SharedArrayBuffer, isArgumentsObject: is("Arguments"), isMapIterator: is("Map Iterator"), isSetIterator: is("Set Iterator"),
  isModuleNamespaceObject: is("Module"), isExternal: () => false, isCryptoKey: (x) => x instanceof CryptoKey, isKeyObject: is("KeyObject"),
  ...Object.fromEntries(["Int8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array"].map((name) => ["is" + name, is(name)])),
};

// parseEnv reads the text of a .env file.
export function parseEnv(text) {
  const out = {};
  for (const m of String(text).matchAll(/^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^#\n]*))/gm)) {
    out[m[1]] = m[2] !== undefined ? m[2].replaceAll("\\n", "\n").replaceAll('\\"', '"') : m[3] ?? m[4] ?? m[5].trim();
  }
  return out;
}

const numbers = { EPERM: 1, ENOENT: 2, EINTR: 4, EIO: 5, EBADF: 9, EAGAIN: 11, ENOMEM: 12, EACCES: 13, EEXIST: 17, EXDEV: 18, ENOTDIR: 20, EISDIR: 21, EINVAL: 22, EMFILE: 24, ENOSPC: 28, EROFS: 30, EPIPE: 32, ENAMETOOLONG: 36, ENOTEMPTY: 39, ELOOP: 40, EADDRINUSE: 98, ECONNRESET: 104, ETIMEDOUT: 110, ECONNREFUSED: 111 };
export const getSystemErrorName = (n) => Object.keys(numbers).find((name) => numbers[name] === -n);
export const getSystemErrorMap = () => new Map(Object.entries(numbers).map(([name, n]) => [-n, [name, name]]));
export const transferableAbortController = () => new AbortController();
export const aborted = (signal) => new Promise((resolve) => {
  if (signal.aborted) resolve();
  else signal.addEventListener("abort", () => resolve(), { once: true });
});
export { parseArgs };

export default {
  inspect, format, formatWithOptions, promisify, callbackify, inherits, deprecate, debuglog, debug, stripVTControlCharacters, toUSVString, styleText,
  TextEncoder: Enc, TextDecoder: Dec, isArray, types, isDeepStrictEqual, parseArgs, parseEnv, getSystemErrorName, getSystemErrorMap, transferableAbortController, aborted,
};
