// What both sides of Node's streams share: the end of a stream, and its errors.
import { EventEmitter } from "./events.js";
import { abortError, coded } from "./_errors.js";

export function Stream(options) { EventEmitter.call(this, options); }
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

// common is the state of a stream as a whole; both sides of a duplex have the same.
export function begin(stream, options) {
  if (stream._stream) return;
  Stream.call(stream, options);
  stream._stream = { destroyed: false, closed: false, errored: null, autoDestroy: options?.autoDestroy !== false, emitClose: options?.emitClose !== false, told: false };
  for (const name of ["read", "write", "writev", "final", "destroy", "transform", "flush", "construct"]) {
    if (typeof options?.[name] === "function") stream["_" + name] = options[name];
  }
  if (options?.signal) addAbortSignal(options.signal, stream);
}

const methods = {
  destroy(error, done) {
    const s = this._stream;
    if (s.destroyed) {
      done?.();
      return this;
    }
    s.destroyed = true;
    if (error) s.errored ??= error;
    const ended = (e) => {
      if (s.closed) return;
      s.closed = true;
      if (e) s.errored ??= e;
      done?.(e);
      process.nextTick(() => {
        if (e && !s.told) {
          s.told = true;
          this.emit("error", e);
        }
        if (s.emitClose) this.emit("close");
      });
    };
    this._drop?.(s.errored);
    try {
      this._destroy(error ?? null, (e) => ended(e ?? error ?? null));
    } catch (e) {
      ended(e);
    }
    return this;
  },
  _destroy(error, done) { done(error); },
  [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    this.destroy();
    return Promise.resolve();
  },
};
for (const key of Reflect.ownKeys(methods)) Object.defineProperty(Stream.prototype, key, { value: methods[key], writable: true, configurable: true });

export const getters = (prototype, list) => {
  for (const [name, get] of Object.entries(list)) Object.defineProperty(prototype, name, { get, set(value) { Object.defineProperty(this, name, { value, writable: true, configurable: true }); }, configurable: true });
};
getters(Stream.prototype, {
  destroyed() { return this._stream?.destroyed ?? false; },
  closed() { return this._stream?.closed ?? false; },
  errored() { return this._stream?.errored ?? null; },
});

// failed ends a stream with an error, or only tells it where the stream is not to end by itself.
export function failed(stream, e) {
  const s = stream._stream;
  if (s.destroyed) return;
  s.errored ??= e;
  if (s.autoDestroy) stream.destroy(e);
  else if (!s.told) {
    s.told = true;
    process.nextTick(() => stream.emit("error", e));
  }
}

export const destroyedError = (what) => coded(Error, "ERR_STREAM_DESTROYED", `Cannot call ${what} after a stream was destroyed`);

// addAbortSignal destroys a stream when the signal says so.
export function addAbortSignal(signal, stream) {
  const stop = () => stream.destroy(abortError(signal));
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return stream;
}

// hwm is how much a side holds before it asks its other end to wait.
let bytes = 64 << 10, objects = 16;
export const markOf = (options, side, objectMode) => options?.[side + "HighWaterMark"] ?? options?.highWaterMark ?? (objectMode ? objects : bytes);
export const getDefaultHighWaterMark = (objectMode) => (objectMode ? objects : bytes);
export const setDefaultHighWaterMark = (objectMode, value) => { if (objectMode) objects = value; else bytes = value; };

export const sizeOf = (chunk, objectMode) => (objectMode ? 1 : chunk.length);
