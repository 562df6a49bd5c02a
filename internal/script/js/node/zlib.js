// node:zlib: whole buffers, in the sync, callback and stream forms that are used.
import { Transform } from "./stream.js";
import { coded, invalidType, needsFunction } from "./_errors.js";

function wire(data) {
  const bytes = typeof data === "string" ? Buffer.from(data) : __bdk.asBytes(data);
  if (!bytes) throw invalidType("buffer", "of type string or an instance of Buffer, TypedArray, DataView, or ArrayBuffer", data);
  return __bdk.toWire(bytes);
}
const back = (text) => Buffer.from(__bdk.fromWire(text));
const asked = (options) => [options?.level ?? -1, options?.maxOutputLength ?? 0];

const sync = (name) => (data, options) => back(__bdk.sync("zlib", name, wire(data), ...asked(options)));
const later = (name) => (data, options, done) => {
  if (typeof options === "function") [options, done] = [undefined, options];
  needsFunction(done);
  __bdk.async(0, "zlib", name, wire(data), ...asked(options)).then((t) => process.nextTick(done, null, back(t)), (e) => process.nextTick(done, e));
};

// streamClass makes a class of streams that packages also extend. It gathers what is
// written and gives the result at the end.
function streamClass(name) {
  function Zlib(options) {
    if (!(this instanceof Zlib)) return new Zlib(options);
    Transform.call(this, options);
    this._parts = [];
    this._asked = asked(options);
    this.bytesWritten = 0;
  }
  Object.setPrototypeOf(Zlib.prototype, Transform.prototype);
  Object.setPrototypeOf(Zlib, Transform);
  Object.defineProperty(Zlib, "name", { value: name[0].toUpperCase() + name.slice(1) });
  for (const [key, value] of Object.entries({
    _transform(chunk, _, next) {
      this._parts.push(Buffer.from(chunk));
      this.bytesWritten += chunk.length;
      next();
    },
    _flush(next) {
      const all = Buffer.concat(this._parts);
      this._parts = [];
      __bdk.async(0, "zlib", name, wire(all), ...this._asked).then((t) => next(null, back(t)), next);
    },
    close(done) {
      if (done) this.once("close", done);
      this.destroy();
    },
  })) Object.defineProperty(Zlib.prototype, key, { value, writable: true, configurable: true });
  return Zlib;
}
const maker = (Class) => (options) => new Class(options);

export const Gzip = streamClass("gzip"), Gunzip = streamClass("gunzip"), Deflate = streamClass("deflate"), Inflate = streamClass("inflate");
export const DeflateRaw = streamClass("deflateRaw"), InflateRaw = streamClass("inflateRaw"), Unzip = streamClass("unzip");

export const gzipSync = sync("gzip"), gunzipSync = sync("gunzip"), deflateSync = sync("deflate"), inflateSync = sync("inflate");
export const deflateRawSync = sync("deflateRaw"), inflateRawSync = sync("inflateRaw"), unzipSync = sync("unzip");
export const gzip = later("gzip"), gunzip = later("gunzip"), deflate = later("deflate"), inflate = later("inflate");
export const deflateRaw = later("deflateRaw"), inflateRaw = later("inflateRaw"), unzip = later("unzip");
export const createGzip = maker(Gzip), createGunzip = maker(Gunzip), createDeflate = maker(Deflate), createInflate = maker(Inflate);
export const createDeflateRaw = maker(DeflateRaw), createInflateRaw = maker(InflateRaw), createUnzip = maker(Unzip);

// Brotli is not part of this runtime: packages ask for its names and rarely use them.
const refuse = () => { throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "node:zlib has no Brotli in this runtime: use gzip or deflate, or node:child_process with a program that has it"); };
export const brotliCompress = refuse, brotliCompressSync = refuse, brotliDecompress = refuse, brotliDecompressSync = refuse;
export const createBrotliCompress = refuse, createBrotliDecompress = refuse;

export const crc32 = (data, value = 0) => __bdk.sync("zlib.crc32", wire(data), value);
export const constants = {
  Z_NO_FLUSH: 0, Z_PARTIAL_FLUSH: 1, Z_SYNC_FLUSH: 2, Z_FULL_FLUSH: 3, Z_FINISH: 4, Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9,
  Z_DEFAULT_COMPRESSION: -1, Z_DEFAULT_STRATEGY: 0, Z_DEFAULT_WINDOWBITS: 15, Z_DEFAULT_CHUNK: 16384, Z_OK: 0, Z_DATA_ERROR: -3, Z_BUF_ERROR: -5,
};

export default {
  gzipSync, gunzipSync, deflateSync, inflateSync, deflateRawSync, inflateRawSync, unzipSync, gzip, gunzip, deflate, inflate, deflateRaw,
  inflateRaw, unzip, createGzip, createGunzip, createDeflate, createInflate, createDeflateRaw, createInflateRaw, createUnzip, Gzip, Gunzip, Deflate, Inflate, DeflateRaw,
  InflateRaw, Unzip, brotliCompress,
  brotliCompressSync, brotliDecompress, brotliDecompressSync, createBrotliCompress, createBrotliDecompress, crc32, constants,
};
