// node:stream, as far as tools and packages use it: whole chunks, in order,
// without high-water marks.
import { EventEmitter } from "./events.js";

class Stream extends EventEmitter {
  destroyed = false;
  #closed = false;

  destroy(error) {
    if (this.destroyed) return this;
    this.destroyed = true;
    const done = (e) => {
      queueMicrotask(() => {
        if (e) this.emit("error", e);
        this.close();
      });
    };
    if (this._destroy) this._destroy(error ?? null, (e) => done(e ?? error));
    else done(error);
    return this;
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    this.emit("close");
  }

  pipe(target, options) {
    this.on("data", (chunk) => target.write(chunk));
    if (options?.end !== false) this.once("end", () => target.end());
    target.emit("pipe", this);
    return target;
  }
}

// reading gives a class the readable side.
const reading = (Base) => class extends Base {
  readable = true;
  readableEnded = false;
  #chunks = [];
  #ended = false;
  #flowing = false;
  #scheduled = false;
  #encoding;
  #read;
  #pulling = false;

  constructor(options = {}) {
    super(options);
    this.readableObjectMode = Boolean(options.objectMode || options.readableObjectMode);
    this.#read = options.read;
    if (options.encoding) this.setEncoding(options.encoding);
  }

  setEncoding(encoding) {
    this.#encoding = encoding;
    return this;
  }

  push(chunk, encoding) {
    this.#pulling = false;
    if (chunk === null) this.#ended = true;
    else this.#chunks.push(typeof chunk === "string" && !this.readableObjectMode ? Buffer.from(chunk, encoding) : chunk);
    this.#schedule();
    return true;
  }

  on(name, listener) {
    super.on(name, listener);
    if (name === "data") this.resume();
    if (name === "readable") this.#schedule();
    return this;
  }

  resume() {
    this.#flowing = true;
    this.#schedule();
    return this;
  }

  pause() {
    this.#flowing = false;
    return this;
  }
  isPaused() { return !this.#flowing; }

  read() {
    const chunk = this.#chunks.shift();
    this.#schedule();
    return chunk === undefined ? null : this.#decoded(chunk);
  }

  #decoded(chunk) { return this.#encoding && !this.readableObjectMode ? Buffer.from(chunk).toString(this.#encoding) : chunk; }

  #schedule() {
    if (this.#scheduled || this.destroyed) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      this.#flow();
    });
  }

  #flow() {
    if (this.destroyed) return;
    while (this.#flowing && this.#chunks.length && !this.destroyed) this.emit("data", this.#decoded(this.#chunks.shift()));
    if (!this.#flowing && (this.#chunks.length || this.#ended) && this.listenerCount("readable")) this.emit("readable");
    if (this.#chunks.length) return;
    if (this.#ended) return this.#finish();
    const read = this.#read ?? this._read;
    if (read && !this.#pulling && (this.#flowing || this.listenerCount("readable"))) {
      this.#pulling = true;
      read.call(this, 16384);
    }
  }

  #finish() {
    if (this.readableEnded || (!this.#flowing && !this.listenerCount("readable"))) return;
    this.readableEnded = true;
    this.readable = false;
    this.emit("end");
    if (!this.writable) this.close();
  }

  async *[Symbol.asyncIterator]() {
    const waiting = [];
    let wake, over = false, failure;
    const poke = () => wake?.();
    this.on("error", (e) => { failure = { e }; poke(); });
    this.on("end", () => { over = true; poke(); });
    this.on("close", () => { over = true; poke(); });
    this.on("data", (chunk) => { waiting.push(chunk); poke(); });
    try {
      for (;;) {
        while (waiting.length) yield waiting.shift();
        if (failure) throw failure.e;
        if (over) return;
        await new Promise((r) => { wake = r; });
      }
    } finally {
      if (!over) this.destroy();
    }
  }

  async toArray() {
    const all = [];
    for await (const chunk of this) all.push(chunk);
    return all;
  }
};

// writing gives a class the writable side; chunks are written one after the other.
const writing = (Base) => class extends Base {
  writable = true;
  writableEnded = false;
  writableFinished = false;
  #queue = [];
  #busy = false;
  #options;

  constructor(options = {}) {
    super(options);
    this.#options = options;
    this.writableObjectMode = Boolean(options.objectMode || options.writableObjectMode);
  }

  write(chunk, encoding, done) {
    if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
    if (this.writableEnded || this.destroyed) {
      const e = Object.assign(new Error("write after end"), { code: "ERR_STREAM_WRITE_AFTER_END" });
      done?.(e);
      this.destroy(e);
      return false;
    }
    const text = typeof chunk === "string" && !this.writableObjectMode && this.#options.decodeStrings !== false;
    this.#queue.push({ chunk: text ? Buffer.from(chunk, encoding) : chunk, encoding: text ? "buffer" : encoding ?? "utf8", done });
    this.#next();
    return true;
  }

  end(chunk, encoding, done) {
    if (typeof chunk === "function") [chunk, done] = [undefined, chunk];
    if (typeof encoding === "function") [encoding, done] = [undefined, encoding];
    if (chunk !== undefined && chunk !== null) this.write(chunk, encoding);
    if (done) this.once("finish", done);
    this.writableEnded = true;
    this.#next();
    return this;
  }

  cork() {}
  uncork() {}
  setDefaultEncoding() { return this; }

  #next() {
    if (this.#busy || this.destroyed) return;
    const item = this.#queue.shift();
    if (!item) return this.writableEnded ? this.#finish() : undefined;
    this.#busy = true;
    const write = this.#options.write ?? this._write;
    write.call(this, item.chunk, item.encoding, (e) => {
      this.#busy = false;
      item.done?.(e ?? null);
      if (e) return this.destroy(e);
      if (!this.#queue.length && !this.writableEnded) queueMicrotask(() => this.emit("drain"));
      this.#next();
    });
  }

  #finish() {
    if (this.writableFinished) return;
    this.writableFinished = true;
    const done = (e) => {
      if (e) return this.destroy(e);
      this.writable = false;
      queueMicrotask(() => {
        this.emit("finish");
        if (!this.readable) this.close();
      });
    };
    const final = this.#options.final ?? this._final;
    if (final) final.call(this, done);
    else done();
  }
};

export class Readable extends reading(Stream) {
  static from(source, options) {
    const stream = new Readable({ objectMode: true, ...options });
    (async () => {
      if (typeof source === "string" || source instanceof Uint8Array) stream.push(source);
      else for await (const chunk of source) stream.push(chunk);
      stream.push(null);
    })().catch((e) => stream.destroy(e));
    return stream;
  }
  static fromWeb(web) { return Readable.from(web, { objectMode: false }); }
  static toWeb(stream) { return globalThis.ReadableStream.from(stream); }
}
export class Writable extends writing(Stream) {}
export class Duplex extends writing(reading(Stream)) {}

export class Transform extends Duplex {
  constructor(options = {}) {
    super({
      ...options,
      write: (chunk, encoding, next) => (options.transform ?? this._transform).call(this, chunk, encoding, (e, out) => {
        if (out !== undefined && out !== null) this.push(out);
        next(e);
      }),
      final: (next) => {
        const end = (e, out) => {
          if (out !== undefined && out !== null) this.push(out);
          if (!e) this.push(null);
          next(e);
        };
        const flush = options.flush ?? this._flush;
        if (flush) flush.call(this, end);
        else end();
      },
    });
  }
}

export class PassThrough extends Transform {
  constructor(options) { super({ ...options, transform: (chunk, _, next) => next(null, chunk) }); }
}

export function finished(stream, options, done) {
  if (typeof options === "function") done = options;
  let told = false;
  const tell = (e) => {
    if (!told) done(e);
    told = true;
  };
  stream.once("error", tell);
  for (const name of ["end", "finish", "close"]) stream.once(name, () => tell());
  return () => { told = true; };
}

const promisedEnd = (stream) => new Promise((resolve, reject) => finished(stream, (e) => (e ? reject(e) : resolve())));

async function pump(streams) {
  const list = streams.map((s) => (typeof s === "function" || typeof s.pipe === "function" || typeof s.write === "function" ? s : Readable.from(s)));
  const last = list[list.length - 1];
  const end = promisedEnd(last);
  for (let i = 0; i + 1 < list.length; i++) {
    list[i].once("error", (e) => last.destroy(e));
    list[i].pipe(list[i + 1]);
  }
  await end;
}

export function pipeline(...streams) {
  const done = typeof streams[streams.length - 1] === "function" ? streams.pop() : undefined;
  pump(streams.flat()).then(() => done?.(), (e) => done?.(e));
  return streams[streams.length - 1];
}

export const promises = { pipeline: (...streams) => pump(streams.filter((s) => typeof s.pipe === "function" || typeof s.write === "function" || s?.[Symbol.asyncIterator])), finished: promisedEnd };

Object.assign(Stream, { Stream, Readable, Writable, Duplex, Transform, PassThrough, finished, pipeline, promises });
export { Stream };
export default Stream;
