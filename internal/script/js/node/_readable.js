// The readable side of Node's streams.
import { StringDecoder } from "./string_decoder.js";
import { coded, invalidType } from "./_errors.js";
import { begin, failed, getters, markOf, sizeOf, Stream } from "./_stream.js";

export function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  begin(this, options);
  reading(this, options);
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);

// reading gives a stream its readable state.
export function reading(stream, options) {
  const objectMode = Boolean(options?.objectMode || options?.readableObjectMode);
  stream._readableState = {
    objectMode, mark: markOf(options, "readable", objectMode), chunks: [], length: 0, flowing: null, ended: false, endEmitted: false,
    busy: false, didRead: false, scheduled: false, wantsReadable: false, pipes: [], paused: new Set(), decoder: null, encoding: null,
  };
  if (options?.encoding) stream.setEncoding(options.encoding);
}

const r = (stream) => stream._readableState;

// take gives n bytes, or all of them.
function take(s, n) {
  if (s.objectMode || (n === undefined && s.chunks.length === 1)) {
    const chunk = s.chunks.shift();
    s.length -= sizeOf(chunk, s.objectMode);
    return chunk;
  }
  const all = s.decoder ? s.chunks.join("") : Buffer.concat(s.chunks), cut = n ?? all.length;
  s.chunks = cut < all.length ? [all.slice(cut)] : [];
  s.length = all.length - cut;
  return all.slice(0, cut);
}

// more asks the source where there is room.
function more(stream, force = false) {
  const s = r(stream);
  if (s.busy || s.ended || stream.destroyed || (s.length >= s.mark && !(s.length === 0 && force))) return;
  s.busy = true;
  try {
    stream._read(s.mark);
  } catch (e) {
    failed(stream, e);
  }
}

// schedule looks, when what runs now is done, at what is to be told.
function schedule(stream) {
  const s = r(stream);
  if (s.scheduled) return;
  s.scheduled = true;
  process.nextTick(() => {
    s.scheduled = false;
    turn(stream);
  });
}

function turn(stream) {
  const s = r(stream);
  if (stream.destroyed) return;
  if (stream.listenerCount("readable") > 0) {
    if (s.length > 0 || s.ended) {
      if (s.wantsReadable) {
        s.wantsReadable = false;
        stream.emit("readable");
      }
      if (s.length === 0 && s.ended) finish(stream);
    } else more(stream, true);
    if (!s.ended && s.length < s.mark) more(stream, true);
    return;
  }
  if (!s.flowing) return;
  while (s.flowing && s.length > 0 && !stream.destroyed) stream.emit("data", take(s));
  if (s.flowing && !stream.destroyed) {
    if (s.ended && s.length === 0) finish(stream);
    else more(stream, true);
  }
}

function finish(stream) {
  const s = r(stream);
  if (s.endEmitted || s.length > 0 || stream._stream.errored) return;
  s.endEmitted = true;
  process.nextTick(() => {
    if (stream.destroyed && stream._stream.errored) return;
    stream.emit("end");
    const w = stream._writableState;
    if (w && stream.allowHalfOpen === false && !w.ending) stream.end();
    if (stream._stream.autoDestroy && (!w || w.finished)) stream.destroy();
  });
}

function chunkOf(stream, chunk, encoding) {
  const s = r(stream);
  if (s.objectMode) return chunk;
  if (typeof chunk === "string") chunk = Buffer.from(chunk, encoding);
  else if (ArrayBuffer.isView(chunk)) chunk = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  else throw invalidType("chunk", "of type string or an instance of Buffer, TypedArray, or DataView", chunk);
  return s.decoder ? s.decoder.write(chunk) : chunk;
}

function add(stream, chunk, encoding, front) {
  const s = r(stream);
  s.busy = false;
  if (chunk === null) {
    if (s.ended) return false;
    const rest = s.decoder?.end();
    if (rest) addChunk(s, rest);
    s.ended = true;
    s.wantsReadable = true;
    schedule(stream);
    return false;
  }
  if (s.ended && !front) {
    failed(stream, coded(Error, "ERR_STREAM_PUSH_AFTER_EOF", "stream.push() after EOF"));
    return false;
  }
  try {
    chunk = chunkOf(stream, chunk, encoding);
  } catch (e) {
    failed(stream, e);
    return false;
  }
  if (s.objectMode || chunk.length > 0) addChunk(s, chunk, front);
  s.wantsReadable = true;
  schedule(stream);
  return !s.ended && (s.length < s.mark || s.length === 0);
}

function addChunk(s, chunk, front) {
  s.chunks[front ? "unshift" : "push"](chunk);
  s.length += sizeOf(chunk, s.objectMode);
}

const methods = {
  push(chunk, encoding) { return add(this, chunk, encoding, false); },
  unshift(chunk, encoding) { return add(this, chunk, encoding, true); },
  _read() { failed(this, coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "this stream has no _read() method")); },

  setEncoding(encoding) {
    const s = r(this);
    s.decoder = new StringDecoder(encoding);
    s.encoding = s.decoder.encoding;
    const text = s.chunks.map((c) => s.decoder.write(c)).join("");
    s.chunks = text ? [text] : [];
    s.length = text.length;
    return this;
  },

  on(name, listener) {
    Stream.prototype.on.call(this, name, listener);
    const s = r(this);
    if (name === "data" && s.flowing !== false && this.listenerCount("readable") === 0) this.resume();
    if (name === "readable") {
      s.flowing = false;
      s.wantsReadable = true;
      schedule(this);
    }
    return this;
  },

  read(n) {
    const s = r(this);
    s.didRead = true;
    if (n === 0) {
      more(this, true);
      return null;
    }
    const enough = () => s.length > 0 && (s.objectMode || n === undefined || n <= s.length || s.ended);
    if (!enough() && !s.ended) more(this, true);
    if (!enough()) {
      s.wantsReadable = true;
      if (s.ended) finish(this);
      return null;
    }
    const chunk = take(s, s.objectMode || n > s.length ? undefined : n);
    if (s.length < s.mark) more(this);
    if (s.length === 0 && s.ended) finish(this);
    if (chunk !== null) this.emit("data", chunk);
    return chunk;
  },

  resume() {
    const s = r(this);
    if (s.flowing !== true) {
      s.flowing = this.listenerCount("readable") === 0;
      s.didRead = true;
      process.nextTick(() => this.emit("resume"));
    }
    schedule(this);
    return this;
  },

  pause() {
    const s = r(this);
    if (s.flowing !== false) {
      s.flowing = false;
      this.emit("pause");
    }
    return this;
  },
  isPaused() { return r(this).flowing === false; },

  pipe(target, options) {
    const s = r(this);
    const data = (chunk) => {
      if (target.write(chunk) !== false) return;
      s.paused.add(target);
      this.pause();
    };
    const drain = () => {
      s.paused.delete(target);
      if (s.paused.size === 0 && s.pipes.length) this.resume();
    };
    const end = () => target.end();
    const stop = () => this.unpipe(target);
    const fail = (e) => {
      stop();
      if (target.listenerCount("error") === 0) throw e;
    };
    s.pipes.push({ target, off: () => {
      this.off("data", data);
      this.off("end", end);
      target.off("drain", drain);
      target.off("close", stop);
      target.off("error", fail);
      s.paused.delete(target);
    } });
    target.on("drain", drain);
    target.on("close", stop);
    target.prependListener("error", fail);
    if (options?.end !== false) this.once("end", end);
    target.emit("pipe", this);
    this.on("data", data);
    if (target.writableNeedDrain) data.call(this, "");
    else if (s.flowing === false) this.resume();
    return target;
  },

  unpipe(target) {
    const s = r(this);
    for (const p of s.pipes.filter((p) => target === undefined || p.target === target)) {
      s.pipes.splice(s.pipes.indexOf(p), 1);
      p.off();
      p.target.emit("unpipe", this, { hasUnpiped: true });
    }
    if (s.pipes.length === 0 && this.listenerCount("data") === 0) this.pause();
    return this;
  },

  [Symbol.asyncIterator]() { return iterate(this, true); },
  iterator(options) { return iterate(this, options?.destroyOnReturn !== false); },
  _drop() {},
};
methods.addListener = methods.on;
async function* iterate(stream, destroy) {
  let wake, over = false, failure;
  const poke = () => wake?.();
  const on = { readable: poke, end: () => { over = true; poke(); }, close: () => { over = true; poke(); }, error: (e) => { failure = { e }; poke(); } };
  if (stream.errored) failure = { e: stream.errored };
  else if (stream.readableEnded || stream.closed) over = true;
  for (const [name, f] of Object.entries(on)) stream.on(name, f);
  let left = true;
  try {
    for (;;) {
      const chunk = failure ? null : stream.read();
      if (chunk !== null) {
        yield chunk;
        continue;
      }
      if (failure) throw failure.e;
      if (over) break;
      await new Promise((done) => { wake = done; });
    }
    left = false;
  } finally {
    for (const [name, f] of Object.entries(on)) if (name !== "error") stream.off(name, f);
    if (destroy && (left || stream._stream?.autoDestroy)) stream.destroy();
  }
}

for (const key of Reflect.ownKeys(methods)) Object.defineProperty(Readable.prototype, key, { value: methods[key], writable: true, configurable: true });
getters(Readable.prototype, {
  readable() { return Boolean(r(this)) && !this.destroyed && !r(this).endEmitted && !this.errored; },
  readableEnded() { return r(this)?.endEmitted ?? false; },
  readableFlowing() { return r(this).flowing; },
  readableLength() { return r(this).length; },
  readableHighWaterMark() { return r(this).mark; },
  readableObjectMode() { return r(this)?.objectMode ?? false; },
  readableEncoding() { return r(this).encoding; },
  readableDidRead() { return r(this).didRead; },
  readableAborted() { return this.destroyed && !r(this).endEmitted; },
});
