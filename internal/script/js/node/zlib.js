// node:zlib: whole buffers, in the sync, callback and stream forms that are used.
import { Transform } from "./stream.js";

const wire = (data) => __bdk.toWire(typeof data === "string" ? Buffer.from(data) : __bdk.asBytes(data));
const back = (text) => Buffer.from(__bdk.fromWire(text));
const level = (options) => options?.level ?? -1;

const sync = (name) => (data, options) => back(__bdk.sync("zlib", name, wire(data), level(options)));
const later = (name) => (data, options, done) => {
  if (typeof options === "function") [options, done] = [undefined, options];
  __bdk.async(0, "zlib", name, wire(data), level(options)).then((t) => done(null, back(t)), (e) => done(e));
};

// stream gathers what is written and gives the result at the end.
const stream = (name) => (options) => {
  const parts = [];
  return new Transform({
    transform(chunk, _, next) { parts.push(Buffer.from(chunk)); next(); },
    flush(next) { __bdk.async(0, "zlib", name, wire(Buffer.concat(parts)), level(options)).then((t) => next(null, back(t)), next); },
  });
};

export const gzipSync = sync("gzip"), gunzipSync = sync("gunzip"), deflateSync = sync("deflate"), inflateSync = sync("inflate");
export const deflateRawSync = sync("deflateRaw"), inflateRawSync = sync("inflateRaw"), unzipSync = sync("unzip");
export const gzip = later("gzip"), gunzip = later("gunzip"), deflate = later("deflate"), inflate = later("inflate");
export const deflateRaw = later("deflateRaw"), inflateRaw = later("inflateRaw"), unzip = later("unzip");
export const createGzip = stream("gzip"), createGunzip = stream("gunzip"), createDeflate = stream("deflate"), createInflate = stream("inflate");
export const createDeflateRaw = stream("deflateRaw"), createInflateRaw = stream("inflateRaw"), createUnzip = stream("unzip");
export const constants = { Z_NO_COMPRESSION: 0, Z_BEST_SPEED: 1, Z_BEST_COMPRESSION: 9, Z_DEFAULT_COMPRESSION: -1, Z_SYNC_FLUSH: 2, Z_FINISH: 4 };

export default {
  gzipSync, gunzipSync, deflateSync, inflateSync, deflateRawSync, inflateRawSync, unzipSync, gzip, gunzip, deflate, inflate, deflateRaw,
  inflateRaw, unzip, createGzip, createGunzip, createDeflate, createInflate, createDeflateRaw, createInflateRaw, createUnzip, constants,
};
