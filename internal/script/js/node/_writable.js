// The writable side of Node's streams.
import { coded, invalidType } from "./_errors.js";
import { begin, destroyedError, failed, getters, markOf, sizeOf, Stream } from "./_stream.js";

export function Writable(options) {
  if (!(this instanceof Writable)) return new Writable(options);
  begin(this, options);
  writing(this, options);
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
// A Duplex, which descends from Readable, is a Writable too.
Object.defineProperty(Writable, Symbol.hasInstance, { value(x) { return Function.prototype[Symbol.hasInstance].call(this, x) || (this === Writable && Boolean(x?._writableState)); } });

// writing gives a stream its writable state.
export function writing(stream, options) {
  const objectMode = Boolean(options?.objectMode || options?.writableObjectMode);
  stream._writableState = {
    objectMode, mark: markOf(options, "writable", objectMode), waiting: [], length: 0, busy: false, corked: 0, ending: false, finalCalled: false, finished: false,
    needDrain: false, decode: options?.decodeStrings !== false, encoding: options?.defaultEncoding ?? "utf8", ends: [],
  };
}

const w = (stream) => stream._writableState;

function itemOf(s, chunk, encoding, done) {
  if (chunk === null) throw coded(TypeError, "ERR_STREAM_NULL_VALUES", "May not write null values to stream");
  if (s.objectMode) return { chunk, encoding: encoding ?? s.encoding, done };
  if (typeof chunk === "string") {
    const name = encoding ?? s.encoding;
    return s.decode ? { chunk: Buffer.from(chunk, name), encoding: "buffer", done } : { chunk, encoding: name, done };
  }
  if (!ArrayBuffer.isView(chunk)) throw invalidType("chunk", "of type string or an instance of Buffer, TypedArray, or DataView", chunk);
  return { chunk: Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength), encoding: "buffer", done };
}

// next writes what waits, one chunk after the other, or all that waits where the stream takes lists.
function next(stream) {
  const s = w(stream);
  if (s.busy || s.corked || stream.destroyed) return;
  if (s.waiting.length === 0) return finishMaybe(stream);
  const several = stream._writev && (s.waiting.length > 1 || !stream._write) ? s.waiting.splice(0) : [s.waiting.shift()];
  s.busy = true;
  let sync = true, answered = false;
  const done = (e) => {
    if (answered) return failed(stream, coded(Error, "ERR_MULTIPLE_CALLBACK", "Callback called multiple times"));
    answered = true;
    const after = () => wrote(stream, several, e);
    if (sync) process.nextTick(after);
    else after();
  };
  try {
    if (stream._writev && (several.length > 1 || !stream._write)) stream._writev(several.map(({ chunk, encoding }) => ({ chunk, encoding })), done);
    else stream._write(several[0].chunk, several[0].encoding, done);
  } catch (e) {
    done(e);
  }
  sync = false;
}

function wrote(stream, items, e) {
  const s = w(stream);
  s.busy = false;
  for (const item of items) s.length -= sizeOf(item.chunk, s.objectMode);
  if (e) {
    for (const item of items) item.done?.(e);
    return failed(stream, e);
  }
  if (stream.destroyed) {
    for (const item of items) item.done?.(stream.errored ?? destroyedError("write"));
    return;
  }
  if (s.needDrain && s.length === 0 && !s.ending) {
    s.needDrain = false;
    stream.emit("drain");
  }
  for (const item of items) item.done?.(null);
  next(stream);
}

function finishMaybe(stream) {
  const s = w(stream);
  if (!s.ending || s.busy || s.waiting.length || s.finalCalled || stream.destroyed) return;
  s.finalCalled = true;
  const finished = (e) => {
    if (e) {
      for (const f of s.ends.splice(0)) f(e);
      return failed(stream, e);
    }
    if (s.finished || stream.destroyed) return;
    s.finished = true;
    for (const f of s.ends.splice(0)) f(null);
    stream.emit("finish");
    if (stream._stream.autoDestroy && (!stream._readableState || stream._readableState.endEmitted)) stream.destroy();
  };
  const later = (e) => process.nextTick(finished, e);
  process.nextTick(() => {
    if (stream.destroyed) return;
    stream.emit("prefinish");
    try {
      if (stream._final) stream._final(later);
      else finished();
    } catch (e) {
      later(e);
    }
  });
}

const methods = {
  write(chunk, encoding, done) {
    if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
    const s = w(this);
    const item = itemOf(s, chunk, encoding === "buffer" ? undefined : encoding, done);
    const e = s.ending ? coded(Error, "ERR_STREAM_WRITE_AFTER_END", "write after end") : this.destroyed ? destroyedError("write") : undefined;
    if (e) {
      process.nextTick(() => done?.(e));
      failed(this, e);
      return false;
    }
    s.length += sizeOf(item.chunk, s.objectMode);
    s.waiting.push(item);
    const room = s.length < s.mark;
    if (!room) s.needDrain = true;
    next(this);
    return room && !this.destroyed;
  },

  _write(chunk, encoding, done) {
    if (this._writev) this._writev([{ chunk, encoding }], done);
    else throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "this stream has no _write() method");
  },

  end(chunk, encoding, done) {
    if (typeof chunk === "function") [chunk, encoding, done] = [undefined, undefined, chunk];
    else if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
    const s = w(this);
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    s.corked = 0;
    const e = this.errored ?? (s.finished ? coded(Error, "ERR_STREAM_ALREADY_FINISHED", "Cannot call end after a stream was finished") : this.destroyed ? destroyedError("end") : undefined);
    if (done) {
      if (e) process.nextTick(done, e);
      else s.ends.push(done);
    }
    if (!e) s.ending = true;
    next(this);
    return this;
  },

  cork() { w(this).corked++; },
  uncork() {
    const s = w(this);
    if (s.corked > 0 && --s.corked === 0) next(this);
  },
  setDefaultEncoding(encoding) {
    w(this).encoding = String(encoding).toLowerCase();
    return this;
  },

  // _drop answers what waits in a stream that was destroyed.
  _drop(e) {
    const s = w(this);
    const items = s.waiting.splice(0), ends = s.ends.splice(0);
    if (items.length || ends.length) process.nextTick(() => {
      for (const item of items) item.done?.(e ?? destroyedError("write"));
      for (const f of ends) f(e ?? destroyedError("end"));
    });
  },
};
for (const key of Reflect.ownKeys(methods)) Object.defineProperty(Writable.prototype, key, { value: methods[key], writable: true, configurable: true });
export const writableMethods = methods;

export const writableGetters = {
  writable() { return Boolean(w(this)) && !this.destroyed && !w(this).ending && !this.errored; },
  writableEnded() { return w(this)?.ending ?? false; },
  writableFinished() { return w(this)?.finished ?? false; },
  writableLength() { return w(this).length; },
  writableHighWaterMark() { return w(this).mark; },
  writableObjectMode() { return w(this)?.objectMode ?? false; },
  writableNeedDrain() { return Boolean(w(this)) && w(this).needDrain && !w(this).ending && !this.destroyed; },
  writableCorked() { return w(this).corked; },
  writableAborted() { return this.destroyed && !w(this).finished; },
};
getters(Writable.prototype, writableGetters);
