// ReadableStream, WritableStream and TransformStream, as far as bodies need them.

class Controller {
  #stream;
  constructor(stream) { this.#stream = stream; }
  get desiredSize() { return 1; }
  enqueue(chunk) { inner(this.#stream).put(chunk); }
  close() { inner(this.#stream).finish(); }
  error(e) { inner(this.#stream).fail(e); }
}

// A Source holds the chunks of one stream and whoever waits for them.
class Source {
  chunks = [];
  waiting = [];
  done = false;
  failure;
  pulling = false;

  constructor(stream, source) {
    this.source = source;
    this.controller = new Controller(stream);
    this.started = Promise.resolve();
  }

  put(chunk) {
    if (this.done) throw new TypeError("the stream is closed");
    const next = this.waiting.shift();
    if (next) next.resolve({ value: chunk, done: false });
    else this.chunks.push(chunk);
  }
  finish() {
    this.done = true;
    if (this.chunks.length === 0) for (const w of this.waiting.splice(0)) w.resolve({ value: undefined, done: true });
  }
  fail(e) {
    this.failure ??= { e };
    for (const w of this.waiting.splice(0)) w.reject(e);
  }

  read() {
    if (this.chunks.length) return Promise.resolve({ value: this.chunks.shift(), done: false });
    if (this.failure) return Promise.reject(this.failure.e);
    if (this.done) return Promise.resolve({ value: undefined, done: true });
    const p = new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
    this.pull();
    return p;
  }

  pull() {
    if (this.pulling || !this.source.pull) return;
    this.pulling = true;
    this.started.then(() => this.source.pull(this.controller)).then(() => {
      this.pulling = false;
      if (this.waiting.length && !this.done && !this.failure) this.pull();
    }, (e) => this.fail(e));
  }

  async cancel(reason) {
    if (this.done || this.failure) return;
    this.chunks.length = 0;
    this.finish();
    await this.source.cancel?.(reason);
  }
}

const sources = new WeakMap();
const inner = (stream) => sources.get(stream);

class Reader {
  #stream;
  #settle;
  constructor(stream) {
    this.#stream = stream;
    this.closed = new Promise((resolve) => { this.#settle = resolve; });
  }
  async read() {
    if (!this.#stream) throw new TypeError("the reader was released");
    const r = await inner(this.#stream).read();
    if (r.done) this.#settle();
    return r;
  }
  cancel(reason) { return inner(this.#stream).cancel(reason); }
  releaseLock() {
    if (this.#stream) inner(this.#stream).locked = false;
    this.#stream = undefined;
  }
}

export class ReadableStream {
  constructor(source = {}) {
    const s = new Source(this, source);
    sources.set(this, s);
    const r = source.start?.(s.controller);
    if (r && typeof r.then === "function") {
      s.started = r;
      r.then(undefined, (e) => s.fail(e));
    }
  }

  static from(iterable) {
    const it = iterable[Symbol.asyncIterator]?.() ?? iterable[Symbol.iterator]();
    return new ReadableStream({
      async pull(c) {
        const { value, done } = await it.next();
        if (done) c.close();
        else c.enqueue(value);
      },
      cancel: (reason) => it.return?.(reason),
    });
  }

  get locked() { return Boolean(inner(this).locked); }

  getReader() {
    const s = inner(this);
    if (s.locked) throw new TypeError("the stream is locked to a reader");
    s.locked = true;
    return new Reader(this);
  }

  cancel(reason) {
    if (this.locked) return Promise.reject(new TypeError("the stream is locked to a reader"));
    return inner(this).cancel(reason);
  }

  async *values(options) {
    const reader = this.getReader();
    let over = false;
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) {
          over = true;
          return;
        }
        yield value;
      }
    } finally {
      if (!over && !options?.preventCancel) await reader.cancel();
      reader.releaseLock();
    }
  }
  [Symbol.asyncIterator](options) { return this.values(options); }

  tee() {
    const reader = this.getReader(), sides = [];
    const pull = async () => {
      const { value, done } = await reader.read();
      for (const c of sides) done ? c.close() : c.enqueue(value);
    };
    const side = () => new ReadableStream({ start: (c) => { sides.push(c); }, pull });
    return [side(), side()];
  }

  pipeThrough({ writable, readable }) {
    this.pipeTo(writable).catch(() => {});
    return readable;
  }

  async pipeTo(target) {
    const writer = target.getWriter();
    try {
      for await (const chunk of this) await writer.write(chunk);
    } catch (e) {
      await writer.abort(e);
      throw e;
    }
    await writer.close();
  }
}

export class WritableStream {
  #sink;
  #controller = { error: (e) => { this.#failure = { e }; }, signal: undefined };
  #failure;
  #last;
  constructor(sink = {}) {
    this.#sink = sink;
    this.#last = Promise.resolve(sink.start?.(this.#controller));
  }
  get locked() { return false; }
  getWriter() {
    const then = (f) => (this.#last = this.#last.then(() => {
      if (this.#failure) throw this.#failure.e;
      return f();
    }));
    return {
      ready: Promise.resolve(), desiredSize: 1,
      write: (chunk) => then(() => this.#sink.write?.(chunk, this.#controller)),
      close: () => then(() => this.#sink.close?.(this.#controller)),
      abort: async (reason) => { await this.#sink.abort?.(reason); },
      releaseLock() {},
    };
  }
  close() { return this.getWriter().close(); }
  abort(reason) { return this.getWriter().abort(reason); }
}

export class TransformStream {
  constructor(transformer = {}) {
    let out;
    this.readable = new ReadableStream({ start: (c) => { out = c; } });
    const controller = { enqueue: (x) => out.enqueue(x), terminate: () => out.close(), error: (e) => out.error(e) };
    this.writable = new WritableStream({
      start: () => transformer.start?.(controller),
      write: (chunk) => (transformer.transform ? transformer.transform(chunk, controller) : controller.enqueue(chunk)),
      async close() {
        await transformer.flush?.(controller);
        out.close();
      },
      abort: (e) => out.error(e),
    });
  }
}

class TextDecoderStream extends TransformStream {
  constructor(label, options) {
    const decoder = new TextDecoder(label, options);
    super({
      transform: (chunk, c) => {
        const text = decoder.decode(chunk, { stream: true });
        if (text) c.enqueue(text);
      },
      flush: (c) => {
        const text = decoder.decode();
        if (text) c.enqueue(text);
      },
    });
  }
}

class TextEncoderStream extends TransformStream {
  constructor() { super({ transform: (text, c) => c.enqueue(new TextEncoder().encode(text)) }); }
}

Object.assign(globalThis, { ReadableStream, WritableStream, TransformStream, TextDecoderStream, TextEncoderStream });
