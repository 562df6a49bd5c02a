// Streams with both sides: Duplex, Transform, PassThrough.
import { coded } from "./_errors.js";
import { begin, getters } from "./_stream.js";
import { Readable, reading } from "./_readable.js";
import { Writable, writableGetters, writableMethods, writing } from "./_writable.js";

export function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  begin(this, options);
  reading(this, options);
  writing(this, options);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  if (options?.readable === false) Object.assign(this._readableState, { ended: true, endEmitted: true });
  if (options?.writable === false) Object.assign(this._writableState, { ending: true, finalCalled: true, finished: true });
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);
for (const [name, value] of Object.entries(writableMethods)) Object.defineProperty(Duplex.prototype, name, { value, writable: true, configurable: true });
getters(Duplex.prototype, writableGetters);

export function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, { ...options, final: undefined, write: undefined, read: undefined, writev: undefined });
  if (options?.final) this._finalOf = options.final;
  this._held = null;
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

const methods = {
  _transform() { throw coded(Error, "ERR_METHOD_NOT_IMPLEMENTED", "this stream has no _transform() method"); },

  // A chunk is done when there is room for what came of it.
  _write(chunk, encoding, done) {
    this._transform(chunk, encoding, (e, out) => {
      if (e) return done(e);
      if (out !== undefined && out !== null) this.push(out);
      const s = this._readableState;
      if (s.ended || s.length < s.mark) return done();
      this._held = done;
    });
  },

  _read() {
    const done = this._held;
    this._held = null;
    done?.();
  },

  _final(done) {
    const flushed = (e, out) => {
      if (e) return done(e);
      if (out !== undefined && out !== null) this.push(out);
      this.push(null);
      done();
    };
    const flush = (e) => {
      if (e) return done(e);
      if (this._flush) this._flush(flushed);
      else flushed();
    };
    if (this._finalOf) this._finalOf(flush);
    else flush();
  },
};
for (const [name, value] of Object.entries(methods)) Object.defineProperty(Transform.prototype, name, { value, writable: true, configurable: true });

export function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);
PassThrough.prototype._transform = (chunk, _, done) => done(null, chunk);
