// inspect writes values for logs the way Node's util does.
import { apply, descriptor, getPrototypeOf, hasOwn, objectText } from "./primordials.js";
import { colored, fit, group } from "./layout.js";

export const custom = Symbol.for("nodejs.util.inspect.custom");
export const defaults = { depth: 2, colors: false, customInspect: true, maxArrayLength: 100, maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, showHidden: false };

export function inspect(value, options, ...old) {
  const ctx = { ...defaults, seen: [], circular: new Map(), indent: 0, level: 0 };
  if (typeof options === "boolean") Object.assign(ctx, { showHidden: options, depth: old[0] ?? 2, colors: Boolean(old[1]) });
  else for (const [k, v] of Object.entries(options ?? {})) if (v !== undefined) ctx[k] = v;
  for (const name of ["depth", "maxArrayLength", "maxStringLength"]) if (ctx[name] === null) ctx[name] = Infinity;
  return write(ctx, value, 0, true);
}

// write gives the text of a value at a level below the outermost.
function write(ctx, x, level, outermost = false) {
  switch (typeof x) {
    case "string": return string(ctx, x, outermost);
    case "number": return colored(ctx, Object.is(x, -0) ? "-0" : String(x), "number");
    case "bigint": return colored(ctx, `${x}n`, "number");
    case "boolean": return colored(ctx, String(x), "number");
    case "undefined": return colored(ctx, "undefined", "undefined");
    case "symbol": return colored(ctx, x.toString(), "string");
  }
  if (x === null) return colored(ctx, "null", "null");
  const own = ctx.customInspect ? customOf(ctx, x, level) : undefined;
  if (own !== undefined) return own;
  if (ctx.seen.includes(x)) {
    if (!ctx.circular.has(x)) ctx.circular.set(x, ctx.circular.size + 1);
    return colored(ctx, `[Circular *${ctx.circular.get(x)}]`, "special");
  }
  return object(ctx, x, level);
}

// customOf asks a value that knows how to write itself.
function customOf(ctx, x, level) {
  let f;
  try {
    f = x[custom];
  } catch {
    return "[not available]"; // a part of ctx that is not bound refuses to be asked
  }
  if (typeof f !== "function" || f === inspect) return undefined;
  const { seen: _, circular: __, ...options } = ctx;
  const given = apply(f, x, [ctx.depth - level, { ...options, depth: ctx.depth - level, stylize: (text) => text }, inspect]);
  return typeof given === "object" && given !== null && given !== x ? write(ctx, given, level) : typeof given === "string" ? given.replaceAll("\n", "\n" + " ".repeat(ctx.indent)) : String(given);
}

function string(ctx, s, outermost) {
  let more = "";
  if (s.length > ctx.maxStringLength) {
    const left = s.length - ctx.maxStringLength;
    s = s.slice(0, ctx.maxStringLength);
    more = `... ${left} more character${left > 1 ? "s" : ""}`;
  }
  if (!outermost && s.length > 16 && s.length > ctx.breakLength - ctx.indent - 4 && s.includes("\n")) {
    return s.split(/(?<=\n)/).map((line) => colored(ctx, quote(line), "string")).join(` +\n${" ".repeat(ctx.indent + 2)}`) + more;
  }
  return colored(ctx, quote(s), "string") + more;
}

const escapes = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", "\\": "\\\\" };

function quote(s) {
  const mark = !s.includes("'") ? "'" : !s.includes('"') ? '"' : !s.includes("`") && !s.includes("${") ? "`" : "'";
  const text = s.replace(/[\x00-\x1f\x7f-\x9f\\]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, (c) =>
    escapes[c] ?? (c > "\xff" ? "\\u" + c.charCodeAt(0).toString(16) : "\\x" + c.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()));
  return mark + (mark === "'" ? text.replaceAll("'", "\\'") : text) + mark;
}

// constructorName is the name of the class, null for an object without one.
function constructorName(x) {
  for (let at = x; at !== null; at = getPrototypeOf(at)) {
    const d = descriptor(at, "constructor");
    if (typeof d?.value === "function" && d.value.name !== "" && (at !== x || x instanceof d.value)) return d.value.name;
  }
  return null;
}

// prefixOf is what stands before the braces: Map(2), [Foo: null prototype].
function prefixOf(x, name, fallback, size) {
  const tag = x[Symbol.toStringTag], count = size === undefined ? "" : `(${size})`;
  const shown = name === null ? `[${fallback}${count}: null prototype] ` : `${name}${count} `;
  return typeof tag === "string" && tag !== "" && tag !== (name ?? fallback) && !hasOwn(x, Symbol.toStringTag) ? `${shown}[${tag}] ` : shown;
}

function object(ctx, x, level) {
  const name = constructorName(x), kind = kindOf(ctx, x, name);
  const keys = kind.keys ?? keysOf(ctx, x, Array.isArray(x) || isTyped(x));
  if (kind.bare !== undefined && keys.length === 0 && !kind.items) return kind.bare;
  if (level > ctx.depth) {
    const outside = prefixOf(x, name, kind.fallback ?? "Object").trimEnd();
    return colored(ctx, `[${Array.isArray(x) ? "Array" : outside}]`, "special");
  }
  ctx.seen.push(x);
  ctx.level = level; // the deepest that was written last decides whether the outer ones share a line
  let list;
  try {
    list = kind.items ? kind.items(level + 1) : [];
    for (const key of keys) list.push(property(ctx, x, key, level, kind.array));
  } finally {
    ctx.seen.pop();
  }
  const mark = ctx.circular.get(x);
  const ref = mark === undefined ? "" : colored(ctx, `<ref *${mark}>`, "special") + " ";
  const [open, close] = kind.array ? ["[", "]"] : ["{", "}"];
  let base = kind.bare === undefined || kind.items ? "" : kind.bare;
  if (list.length === 0 && !base) return `${ref}${kind.prefix}${open}${close}`;
  if (ctx.sorted && !kind.array) list.sort(typeof ctx.sorted === "function" ? ctx.sorted : undefined);
  if (kind.array && list.length > 6 && ctx.compact >= 1) list = group(ctx, list, kind.values, kind.more);
  return fit(ctx, list, base, ref + kind.prefix + open, close, level, kind.array);
}

const isTyped = (x) => ArrayBuffer.isView(x) && !(x instanceof DataView);

function keysOf(ctx, x, indexed) {
  const names = Object.keys(x).filter((k) => !indexed || !/^(0|[1-9]\d*)$/.test(k));
  if (ctx.showHidden) for (const k of Object.getOwnPropertyNames(x)) if (!names.includes(k) && !(indexed && /^(0|[1-9]\d*)$/.test(k))) names.push(k);
  const symbols = Object.getOwnPropertySymbols(x);
  return [...names, ...symbols.filter((s) => ctx.showHidden || descriptor(x, s)?.enumerable)];
}

// kindOf says how a kind of object is written: prefix, items, or a text alone.
function kindOf(ctx, x, name) {
  const more = (n) => `... ${n} more item${n > 1 ? "s" : ""}`;
  const capped = (values, size, one) => (level) => {
    const list = inside(ctx, () => values.slice(0, ctx.maxArrayLength).map((v) => one(v, level)));
    if (size > list.length) list.push(more(size - list.length));
    return list;
  };
  const item = (v, level) => write(ctx, v, level);
  if (Array.isArray(x)) {
    const plain = name === "Array" ? "" : prefixOf(x, name, "Array", x.length);
    return { array: true, prefix: plain, fallback: "Array", items: (level) => elements(ctx, x, level, more), values: x, more: x.length > ctx.maxArrayLength };
  }
  if (typeof x === "function") return functionKind(ctx, x, name);
  if (x instanceof Error) return { bare: errorText(ctx, x), prefix: "", keys: Object.keys(x).filter((k) => k !== "stack" && k !== "message" && !(k === "name" && String(x.stack).includes(x.name))).concat(hasOwn(x, "cause") ? ["cause"] : [], x instanceof AggregateError ? ["errors"] : []) };
  if (x instanceof Date) return { bare: colored(ctx, Number.isNaN(x.getTime()) ? "Invalid Date" : x.toISOString(), "date"), prefix: "" };
  if (x instanceof RegExp) return { bare: colored(ctx, String(x), "regexp"), prefix: "" };
  if (globalThis.Buffer?.isBuffer(x)) return { bare: bufferText(x), prefix: "", keys: [] };
  if (isTyped(x)) return { array: true, prefix: prefixOf(x, name, "TypedArray", x.length), items: capped([...x.subarray(0, ctx.maxArrayLength)], x.length, item), values: x, more: x.length > ctx.maxArrayLength };
  if (x instanceof Map) return { prefix: prefixOf(x, name, "Map", x.size), items: capped([...x], x.size, ([k, v], level) => `${write(ctx, k, level)} => ${write(ctx, v, level)}`) };
  if (x instanceof Set) return { prefix: prefixOf(x, name, "Set", x.size), items: capped([...x], x.size, item) };
  if (x instanceof ArrayBuffer) return { prefix: prefixOf(x, name, "ArrayBuffer"), items: () => [`[Uint8Contents]: <${hex(new Uint8Array(x))}>`, `byteLength: ${colored(ctx, String(x.byteLength), "number")}`] };
  if (x instanceof Promise) return { prefix: prefixOf(x, name, "Promise"), items: () => [colored(ctx, "<state unknown>", "special")] };
  if (x instanceof WeakMap || x instanceof WeakSet) return { prefix: prefixOf(x, name, "WeakMap"), items: () => [colored(ctx, "<items unknown>", "special")] };
  for (const T of [Number, String, Boolean, BigInt, Symbol]) {
    if (x instanceof T) return { bare: colored(ctx, `[${T.name}: ${write({ ...ctx, colors: false }, T.prototype.valueOf.call(x), 0)}]`, "string"), prefix: "", keys: T === String ? keysOf(ctx, x, true) : undefined };
  }
  if (objectText(x) === "[object Arguments]") return { array: true, prefix: "[Arguments] ", items: (level) => elements(ctx, [...x], level, more), values: [...x], keys: [] };
  const face = faceOf(x);
  if (face) return { prefix: face.name + " ", items: (level) => inside(ctx, () => face.entries.map(([k, v, arrow]) => `${arrow ? quote(k) + " =>" : /^[A-Za-z_$][\w$]*$/.test(k) ? k + ":" : quote(k) + ":"} ${write(ctx, v, level)}`)) };
  const plain = name === "Object" && (typeof x[Symbol.toStringTag] !== "string" || hasOwn(x, Symbol.toStringTag));
  return { prefix: plain ? "" : prefixOf(x, name, "Object"), ...(plain ? {} : { bare: undefined }) };
}

// faces are what the classes of the platform show: their parts are no fields.
const faces = {
  URL: ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "searchParams", "hash"],
  Request: ["method", "url", "headers", "redirect", "signal", "bodyUsed"],
  Response: ["status", "statusText", "headers", "ok", "redirected", "type", "url", "bodyUsed"],
  File: ["size", "type", "name", "lastModified"], Blob: ["size", "type"], AbortSignal: ["aborted"], AbortController: ["signal"],
  CustomEvent: ["type", "defaultPrevented", "cancelable", "timeStamp", "detail"], Event: ["type", "defaultPrevented", "cancelable", "timeStamp"],
  ReadableStream: ["locked"], WritableStream: ["locked"], TransformStream: ["readable", "writable"], CryptoKey: ["type", "extractable", "algorithm", "usages"],
};

function faceOf(x) {
  for (const name of ["Headers", "URLSearchParams", "FormData"]) {
    if (x instanceof globalThis[name]) return { name, entries: [...x].map(([k, v]) => [k, v, name === "URLSearchParams"]) };
  }
  const name = Object.keys(faces).find((n) => x instanceof globalThis[n]);
  return name && { name, entries: faces[name].map((key) => [key, x[key]]) };
}

function elements(ctx, x, level, more) {
  const list = [];
  return inside(ctx, () => {
    for (let i = 0; i < x.length && list.length < ctx.maxArrayLength; i++) {
      if (i in x) {
        list.push(write(ctx, x[i], level));
        continue;
      }
      const from = i;
      while (i + 1 < x.length && !(i + 1 in x)) i++;
      list.push(colored(ctx, `<${i - from + 1} empty item${i > from ? "s" : ""}>`, "undefined"));
    }
    if (x.length > list.length && list.length >= ctx.maxArrayLength) list.push(more(x.length - list.length));
    return list;
  });
}

function inside(ctx, f) {
  ctx.indent += 2;
  try {
    return f();
  } finally {
    ctx.indent -= 2;
  }
}

function property(ctx, x, key, level, array) {
  const d = descriptor(x, key) ?? { value: x[key], enumerable: true };
  let text;
  if (d.get !== undefined) text = colored(ctx, d.set !== undefined ? "[Getter/Setter]" : "[Getter]", "special");
  else if (d.set !== undefined) text = colored(ctx, "[Setter]", "special");
  else text = inside(ctx, () => write(ctx, d.value, level + 1));
  if (typeof key === "symbol") return `[${colored(ctx, key.toString(), "string")}]: ${text}`;
  if (key === "__proto__") return `['__proto__']: ${text}`;
  if (!d.enumerable) return `[${key}]: ${text}`;
  return `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : colored(ctx, quote(key), "string")}: ${text}`;
}

function functionKind(ctx, f, name) {
  const source = Function.prototype.toString.call(f);
  if (/^class\b/.test(source)) {
    const parent = getPrototypeOf(f)?.name;
    return { bare: colored(ctx, `[class ${f.name || "(anonymous)"}${parent ? " extends " + parent : ""}]`, "special"), prefix: "" };
  }
  const kind = { AsyncFunction: "AsyncFunction", GeneratorFunction: "GeneratorFunction", AsyncGeneratorFunction: "AsyncGeneratorFunction" }[name] ?? "Function";
  return { bare: colored(ctx, `[${kind}${f.name ? ": " + f.name : " (anonymous)"}]`, "special"), prefix: "" };
}

const hex = (bytes) => [...bytes.subarray(0, 50)].map((b) => b.toString(16).padStart(2, "0")).join(" ") + (bytes.length > 50 ? ` ... ${bytes.length - 50} more byte${bytes.length > 51 ? "s" : ""}` : "");
const bufferText = (b) => `<Buffer${b.length ? " " + hex(new Uint8Array(b.buffer, b.byteOffset, b.byteLength)) : ""}>`;

// errorText is the name and message, and the places in the project's source.
function errorText(ctx, e) {
  const head = e.message ? `${e.name}: ${e.message}` : String(e.name);
  const stack = globalThis.__bdk.sync("log.stack", String(e.stack ?? ""));
  return (stack ? head + "\n" + stack : head).replaceAll("\n", "\n" + " ".repeat(ctx.indent));
}
