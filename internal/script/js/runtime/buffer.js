// Buffer: Node's Uint8Array with text encodings and number access.
import { asBytes, fromWire, sync, toWire } from "./bridge.js";
import { latin1 } from "./encoding.js";

const text = new TextEncoder();
const names = { utf8: "utf8", "utf-8": "utf8", hex: "hex", base64: "base64", base64url: "base64url", latin1: "latin1", binary: "latin1", ascii: "ascii", ucs2: "utf16le", "ucs-2": "utf16le", utf16le: "utf16le", "utf-16le": "utf16le" };

function encodingOf(name = "utf8") {
  const known = names[String(name).toLowerCase()];
  if (!known) throw Object.assign(new TypeError(`Unknown encoding: ${name}`), { code: "ERR_UNKNOWN_ENCODING" });
  return known;
}

// toBytes encodes a string.
function toBytes(string, encoding) {
  switch (encodingOf(encoding)) {
    case "utf8": return text.encode(string);
    case "hex": return Uint8Array.fromHex(/^(?:[0-9a-f]{2})*/i.exec(string)[0]);
    case "base64": case "base64url": return fromWire(tidyBase64(string));
    case "utf16le": {
      const out = new Uint8Array(string.length * 2);
      for (let i = 0; i < string.length; i++) [out[2 * i], out[2 * i + 1]] = [string.charCodeAt(i) & 255, string.charCodeAt(i) >> 8];
      return out;
    }
  }
  const out = new Uint8Array(string.length);
  for (let i = 0; i < string.length; i++) out[i] = string.charCodeAt(i);
  return out;
}

// tidyBase64 reads both alphabets, and stops where Node does.
function tidyBase64(string) {
  const clean = string.replaceAll("-", "+").replaceAll("_", "/").replace(/[^A-Za-z0-9+/=]/g, "").replace(/=.*$/, "");
  return clean.length % 4 === 1 ? clean.slice(0, -1) : clean;
}

// fromBytes decodes to a string.
function fromBytes(bytes, encoding) {
  switch (encodingOf(encoding)) {
    case "utf8": return sync("text.decode", "utf-8", toWire(bytes), false, true);
    case "hex": return bytes.toHex();
    case "base64": return toWire(bytes);
    case "base64url": return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
    case "utf16le": {
      const copy = new Uint8Array(bytes.length & ~1); // aligned, as Uint16Array needs it
      copy.set(bytes.subarray(0, copy.length));
      const units = new Uint16Array(copy.buffer);
      let text = "";
      for (let i = 0; i < units.length; i += 8192) text += String.fromCharCode.apply(null, units.subarray(i, i + 8192));
      return text;
    }
    case "ascii": return latin1(bytes.map((b) => b & 127));
  }
  return latin1(bytes);
}

const wrap = (bytes) => new Buffer(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export class Buffer extends Uint8Array {
  static from(value, a, b) {
    if (typeof value === "string") return wrap(toBytes(value, a));
    if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Buffer(value, a, b);
    if (ArrayBuffer.isView(value)) {
      const out = new Buffer(value.length ?? value.byteLength);
      out.set(value.length === undefined ? asBytes(value) : value);
      return out;
    }
    if (Array.isArray(value)) return wrap(Uint8Array.from(value, (x) => x & 255));
    if (value?.type === "Buffer" && Array.isArray(value.data)) return Buffer.from(value.data);
    const primitive = value?.valueOf?.();
    if (primitive !== undefined && primitive !== value) return Buffer.from(primitive, a, b);
    if (value !== null && typeof value === "object" && typeof value.length === "number") return wrap(Uint8Array.from(value));
    throw Object.assign(new TypeError("The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array or an Array-like Object."), { code: "ERR_INVALID_ARG_TYPE" });
  }

  static alloc(size, fill, encoding) {
    const out = new Buffer(sizeOf(size));
    return fill === undefined || fill === 0 ? out : out.fill(fill, encoding);
  }
  static allocUnsafe(size) { return new Buffer(sizeOf(size)); }
  static allocUnsafeSlow(size) { return new Buffer(sizeOf(size)); }
  static copyBytesFrom(view, offset = 0, length = undefined) {
    const part = view.subarray(offset, length === undefined ? undefined : offset + length);
    return Buffer.from(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
  }
  static isBuffer(x) { return x instanceof Buffer; }
  static isEncoding(name) { return Object.hasOwn(names, String(name).toLowerCase()); }
  static of(...items) { return Buffer.from(items); }
  static compare(a, b) { return compare(asBytes(a), asBytes(b)); }

  static byteLength(value, encoding) {
    if (typeof value !== "string") {
      if (!asBytes(value)) throw invalid("string", "of type string or an instance of Buffer or ArrayBuffer", value);
      return value.byteLength;
    }
    return toBytes(value, encoding).length;
  }

  static concat(list, total) {
    if (!Array.isArray(list)) throw invalid("list", "an instance of Array", list);
    list.forEach((b, i) => { if (!(b instanceof Uint8Array)) throw invalid(`list[${i}]`, "an instance of Buffer or Uint8Array", b); });
    total ??= list.reduce((n, b) => n + b.length, 0);
    const out = new Buffer(total);
    let at = 0;
    for (const b of list) {
      if (at >= total) break;
      out.set(b.subarray(0, total - at), at);
      at += b.length;
    }
    return out;
  }

  get parent() { return this.buffer; }
  get offset() { return this.byteOffset; }

  toString(encoding, start = 0, end = this.length) { return fromBytes(this.subarray(start, end), encoding); }
  toLocaleString(encoding, start, end) { return this.toString(encoding, start, end); }
  toJSON() { return { type: "Buffer", data: [...this] }; }
  equals(other) { return compare(this, asBytes(other)) === 0; }

  compare(other, from = 0, to = other.length, start = 0, end = this.length) {
    return compare(this.subarray(start, end), asBytes(other).subarray(from, to));
  }

  subarray(start, end) { return wrap(Uint8Array.prototype.subarray.call(plain(this), start, end)); }
  slice(start, end) { return this.subarray(start, end); }

  copy(target, at = 0, start = 0, end = this.length) {
    const part = this.subarray(start, Math.min(end, start + target.length - at));
    target.set(part, at);
    return part.length;
  }

  write(string, offset = 0, length, encoding) {
    if (typeof offset === "string") [encoding, offset, length] = [offset, 0, undefined];
    else if (typeof length === "string") [encoding, length] = [length, undefined];
    const bytes = toBytes(string, encoding).subarray(0, Math.min(length ?? Infinity, this.length - offset));
    this.set(bytes, offset);
    return bytes.length;
  }

  fill(value, start, end, encoding) {
    if (typeof start === "string") [encoding, start, end] = [start, 0, this.length];
    if (typeof value === "number") return super.fill(value & 255, start, end);
    const bytes = typeof value === "string" ? toBytes(value, encoding) : asBytes(value);
    if (bytes.length === 0) return super.fill(0, start, end);
    for (let i = start ?? 0, n = 0; i < (end ?? this.length); i++, n++) this[i] = bytes[n % bytes.length];
    return this;
  }

  indexOf(value, from, encoding) { return find(this, value, from, encoding, false); }
  lastIndexOf(value, from, encoding) { return find(this, value, from, encoding, true); }
  includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; }

  swap16() { return swap(this, 2); }
  swap32() { return swap(this, 4); }
  swap64() { return swap(this, 8); }
}

const invalid = (name, wanted, x) => Object.assign(new TypeError(`The "${name}" argument must be ${wanted}. Received ${x === null ? "null" : typeof x}`), { code: "ERR_INVALID_ARG_TYPE" });
const outside = (name, range, x) => Object.assign(new RangeError(`The value of "${name}" is out of range. It must be ${range}. Received ${String(x)}`), { code: "ERR_OUT_OF_RANGE" });

function sizeOf(size) {
  if (typeof size !== "number") throw invalid("size", "of type number", size);
  if (!(size >= 0 && size <= 2 ** 31 - 1)) throw outside("size", ">= 0 && <= 2147483647", size);
  return size;
}

// plain views the same bytes as a Uint8Array, so that its methods give one.
const plain = (b) => new Uint8Array(b.buffer, b.byteOffset, b.byteLength);

function compare(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}

function find(b, value, from, encoding, backward) {
  if (typeof from === "string") [encoding, from] = [from, undefined];
  const wanted = typeof value === "number" ? Uint8Array.of(value & 255) : typeof value === "string" ? toBytes(value, encoding) : asBytes(value);
  const last = b.length - wanted.length;
  from = from === undefined || Number.isNaN(+from) ? (backward ? last : 0) : Math.trunc(from);
  if (from < 0) from += b.length;
  const matches = (i) => wanted.every((x, n) => b[i + n] === x);
  if (backward) {
    for (let i = Math.min(from, last); i >= 0; i--) if (matches(i)) return i;
  } else {
    for (let i = Math.max(from, 0); i <= last; i++) if (matches(i)) return i;
  }
  return -1;
}

function swap(b, size) {
  if (b.length % size) throw Object.assign(new RangeError(`Buffer size must be a multiple of ${size * 8}-bits`), { code: "ERR_INVALID_BUFFER_SIZE" });
  for (let i = 0; i < b.length; i += size) plain(b).subarray(i, i + size).reverse();
  return b;
}

function range(b, offset, size) {
  if (typeof offset !== "number") throw invalid("offset", "of type number", offset);
  if (!Number.isInteger(offset)) throw outside("offset", "an integer", offset);
  if (offset < 0 || offset + size > b.length) {
    if (b.length < size) throw Object.assign(new RangeError("Attempt to access memory outside buffer bounds"), { code: "ERR_BUFFER_OUT_OF_BOUNDS" });
    throw outside("offset", `>= 0 and <= ${b.length - size}`, offset);
  }
  return new DataView(b.buffer, b.byteOffset, b.byteLength);
}

// The fixed numbers: readUInt16LE, writeDoubleBE, and so on.
const numbers = { UInt8: ["Uint8", 1], Int8: ["Int8", 1], UInt16: ["Uint16", 2], Int16: ["Int16", 2], UInt32: ["Uint32", 4], Int32: ["Int32", 4], Float: ["Float32", 4], Double: ["Float64", 8], BigInt64: ["BigInt64", 8], BigUInt64: ["BigUint64", 8] };
for (const [name, [view, size]] of Object.entries(numbers)) {
  for (const end of size === 1 ? [""] : ["LE", "BE"]) {
    const read = function (offset = 0) { return range(this, offset, size)["get" + view](offset, end === "LE"); };
    const [least, most] = bounds(name, size);
    const write = function (value, offset = 0) {
      if (least !== undefined && (value < least || value > most)) throw outside("value", `>= ${least} and <= ${most}`, value);
      range(this, offset, size)["set" + view](offset, value, end === "LE");
      return offset + size;
    };
    for (const alias of new Set([name, name.replace("UInt", "Uint")])) {
      Object.defineProperty(Buffer.prototype, "read" + alias + end, { value: read, writable: true, configurable: true });
      Object.defineProperty(Buffer.prototype, "write" + alias + end, { value: write, writable: true, configurable: true });
    }
  }
}

// bounds are the least and the most that a whole number may be.
function bounds(name, size) {
  if (/^(Float|Double)/.test(name)) return [];
  const bits = BigInt(8 * size), [least, most] = /^(U|BigU)/.test(name) ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  return name.startsWith("Big") ? [least, most] : [Number(least), Number(most)];
}

// The numbers of 1 to 6 bytes: readUIntBE(offset, byteLength).
for (const [name, signed] of [["UInt", false], ["Uint", false], ["Int", true]]) {
  for (const end of ["LE", "BE"]) {
    Buffer.prototype[`read${name}${end}`] = function (offset, size) {
      range(this, offset, size);
      let n = 0;
      for (let i = 0; i < size; i++) n = n * 256 + this[offset + (end === "BE" ? i : size - 1 - i)];
      return signed && n >= 2 ** (8 * size - 1) ? n - 2 ** (8 * size) : n;
    };
    Buffer.prototype[`write${name}${end}`] = function (value, offset, size) {
      range(this, offset, size);
      let n = value < 0 ? value + 2 ** (8 * size) : value;
      for (let i = 0; i < size; i++, n = Math.floor(n / 256)) this[offset + (end === "LE" ? i : size - 1 - i)] = n % 256;
      return offset + size;
    };
  }
}

Buffer.poolSize = 8192;
globalThis.Buffer = Buffer;
Object.defineProperty(Buffer, "name", { value: "Buffer" });
