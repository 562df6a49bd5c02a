// node:util.
import { isDeepStrictEqual } from "./_equal.js";

export { isDeepStrictEqual };
export const inspect = Object.assign((value, options) => __bdk.inspect(value, options), { custom: Symbol.for("nodejs.util.inspect.custom"), defaultOptions: {} });
export const format = (...args) => __bdk.format(args);
export const formatWithOptions = (_, ...args) => __bdk.format(args);

const custom = Symbol.for("nodejs.util.promisify.custom");
export function promisify(f) {
  if (typeof f !== "function") throw Object.assign(new TypeError('The "original" argument must be of type function'), { code: "ERR_INVALID_ARG_TYPE" });
  if (f[custom]) return f[custom];
  return function (...args) {
    return new Promise((resolve, reject) => f.call(this, ...args, (e, value) => (e ? reject(e) : resolve(value))));
  };
}
promisify.custom = custom;

export const callbackify = (f) => function (...args) {
  const done = args.pop();
  f.apply(this, args).then((x) => done(null, x), (e) => done(e ?? new Error("the promise was rejected with a falsy value")));
};

export const inherits = (child, parent) => {
  child.super_ = parent;
  Object.setPrototypeOf(child.prototype, parent.prototype);
};

export function deprecate(f, message) {
  let told = false;
  return function (...args) {
    if (!told) console.warn(message);
    told = true;
    return f.apply(this, args);
  };
}

export const debuglog = () => Object.assign(() => {}, { enabled: false });
export const debug = debuglog;
export const stripVTControlCharacters = (s) => s.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "");
export const toUSVString = (s) => String(s).toWellFormed();
export const styleText = (_, text) => text;
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
};

// parseArgs reads options of a command line.
export function parseArgs({ args = process.argv.slice(2), options = {}, allowPositionals = false } = {}) {
  const values = Object.create(null), positionals = [];
  for (const [name, o] of Object.entries(options)) if (o.default !== undefined) values[name] = o.default;
  const put = (name, value) => {
    if (options[name]?.multiple) (values[name] ??= []).push(value);
    else values[name] = value;
  };
  const rest = [...args];
  while (rest.length) {
    const arg = rest.shift();
    if (arg === "--") positionals.push(...rest.splice(0));
    else if (arg.startsWith("--")) {
      const [name, value] = arg.includes("=") ? [arg.slice(2, arg.indexOf("=")), arg.slice(arg.indexOf("=") + 1)] : [arg.slice(2)];
      if (!options[name]) throw Object.assign(new TypeError(`Unknown option '--${name}'`), { code: "ERR_PARSE_ARGS_UNKNOWN_OPTION" });
      put(name, options[name].type === "string" ? value ?? rest.shift() : true);
    } else if (/^-./.test(arg)) {
      const name = Object.keys(options).find((n) => options[n].short === arg[1]);
      if (!name) throw Object.assign(new TypeError(`Unknown option '${arg}'`), { code: "ERR_PARSE_ARGS_UNKNOWN_OPTION" });
      put(name, options[name].type === "string" ? arg.slice(2) || rest.shift() : true);
    } else if (allowPositionals) positionals.push(arg);
    else throw Object.assign(new TypeError(`Unexpected argument '${arg}'`), { code: "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL" });
  }
  return { values, positionals };
}

export default {
  inspect, format, formatWithOptions, promisify, callbackify, inherits, deprecate, debuglog, debug, stripVTControlCharacters, toUSVString,
  styleText, TextEncoder: Enc, TextDecoder: Dec, isArray, types, isDeepStrictEqual, parseArgs,
};
