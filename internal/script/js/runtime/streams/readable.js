// ReadableStream with its controllers and readers.
import { asBytes } from "../bridge.js";
import { expose } from "../primordials.js";
import { deferred, invalidState, Queue, rejected, strategyOf } from "./queue.js";
import { pipeTo } from "./pipe.js";
import { tee } from "./tee.js";

// A Core is the state of one ReadableStream.
export class Core {
  state = "readable";
  failure = undefined;
  queue = new Queue();
  requests = [];
  reader = undefined;
  disturbed = false;
  closing = false;
  started = false;
  #pulling = false;
  #pullAgain = false;

  constructor(source, { mark, size }) {
    this.source = source;
    this.mark = mark;
    this.size = size;
    this.bytes = source?.type === "bytes";
  }

  start(controller) {
    this.controller = controller;
    const wait = this.source?.start?.(controller);
    const ready = () => {
      this.started = true;
      this.pull();
    };
    Promise.resolve(wait).then(ready, (e) => this.fail(e));
  }

  get desired() {
    if (this.state === "errored") return null;
    return this.state === "closed" ? 0 : this.mark - this.queue.total;
  }

  // pull asks the source for more where somebody waits, or where there is room.
  pull() {
    if (this.state !== "readable" || this.closing || !this.started || !this.source?.pull) return;
    if (this.requests.length === 0 && this.desired <= 0) return;
    if (this.#pulling) {
      this.#pullAgain = true;
      return;
    }
    this.#pulling = true;
    const again = () => {
      this.#pulling = false;
      if (!this.#pullAgain) return;
      this.#pullAgain = false;
      this.pull();
    };
    try {
      Promise.resolve(this.source.pull(this.controller)).then(again, (e) => this.fail(e));
    } catch (e) {
      this.fail(e);
    }
  }

  enqueue(chunk) {
    if (this.closing || this.state !== "readable") throw invalidState("Invalid state: the stream is closed or has failed");
    if (this.bytes) chunk = bytesOf(chunk);
    const request = this.requests.shift();
    if (request) this.#answer(request, chunk);
    else {
      try {
        this.queue.push(chunk, this.bytes ? chunk.byteLength : this.size(chunk));
      } catch (e) {
        this.fail(e);
        throw e;
      }
    }
    this.pull();
  }

  // #answer gives a chunk to whoever waits; what does not fit a view stays.
  #answer(request, chunk) {
    if (!request.view) return request.resolve({ value: chunk, done: false });
    const { view } = request, n = Math.min(view.byteLength, chunk.byteLength);
    new Uint8Array(view.buffer, view.byteOffset, n).set(chunk.subarray(0, n));
    if (n < chunk.byteLength) this.queue.unshift(chunk.subarray(n), chunk.byteLength - n);
    request.resolve({ value: viewOf(view, n), done: false });
  }

  close() {
    if (this.closing || this.state !== "readable") throw invalidState("Invalid state: the stream is closed already");
    this.closing = true;
    if (this.queue.length === 0) this.finish();
  }

  finish() {
    if (this.state !== "readable") return;
    this.state = "closed";
    for (const r of this.requests.splice(0)) r.resolve({ value: r.view ? viewOf(r.view, 0) : undefined, done: true });
    this.reader?.closed.resolve();
  }

  fail(e) {
    if (this.state !== "readable") return;
    this.state = "errored";
    this.failure = e;
    this.queue.clear();
    for (const r of this.requests.splice(0)) r.reject(e);
    this.reader?.closed.reject(e);
  }

  read(view) {
    this.disturbed = true;
    if (this.state === "errored") return Promise.reject(this.failure);
    if (this.queue.length > 0) return Promise.resolve(this.#next(view));
    if (this.state === "closed") return Promise.resolve({ value: view && viewOf(view, 0), done: true });
    const { promise, resolve, reject } = Promise.withResolvers();
    this.requests.push({ resolve, reject, view });
    this.pull();
    return promise;
  }

  #next(view) {
    let result;
    if (view) this.#answer({ view, resolve: (r) => { result = r; } }, this.queue.shift());
    else result = { value: this.queue.shift(), done: false };
    if (this.closing && this.queue.length === 0) this.finish();
    else this.pull();
    return result;
  }

  cancel(reason) {
    this.disturbed = true;
    if (this.state === "closed") return Promise.resolve();
    if (this.state === "errored") return Promise.reject(this.failure);
    this.queue.clear();
    this.finish();
    return Promise.resolve().then(() => this.source?.cancel?.(reason)).then(() => undefined);
  }
}

function bytesOf(chunk) {
  const bytes = asBytes(chunk);
  if (!bytes || !ArrayBuffer.isView(chunk)) throw Object.assign(new TypeError("a chunk of a byte stream must be an ArrayBufferView"), { code: "ERR_INVALID_ARG_TYPE" });
  if (bytes.byteLength === 0) throw invalidState("Invalid state: a chunk of a byte stream cannot be empty");
  return bytes;
}

// viewOf is the filled part of a view that a reader brought along.
const viewOf = (view, bytes) => (view instanceof DataView ? new DataView(view.buffer, view.byteOffset, bytes) : new view.constructor(view.buffer, view.byteOffset, bytes / (view.BYTES_PER_ELEMENT ?? 1)));

class ReadableStreamDefaultController {
  #core;
  constructor(core) { this.#core = core; }
  get desiredSize() { return this.#core.desired; }
  enqueue(chunk) { this.#core.enqueue(chunk); }
  close() { this.#core.close(); }
  error(e) { this.#core.fail(e); }
}
class ReadableByteStreamController extends ReadableStreamDefaultController {
  // byobRequest is what a source may fill instead of calling enqueue; here it always enqueues.
  get byobRequest() { return null; }
}

class Reader {
  #core;
  #closed = deferred();
  constructor(stream) {
    const core = inner(stream);
    if (core.reader) throw invalidState("Invalid state: ReadableStream is locked");
    this.#core = core;
    core.reader = { closed: this.#closed };
    if (core.state === "closed") this.#closed.resolve();
    if (core.state === "errored") this.#closed.reject(core.failure);
  }

  static held(reader) {
    if (!reader.#core) throw invalidState("Invalid state: The reader is not attached to a stream");
    return reader.#core;
  }

  get closed() { return this.#closed.promise; }

  async cancel(reason) { return await held(this).cancel(reason); }

  releaseLock() {
    const core = this.#core;
    if (!core) return;
    const e = invalidState("Invalid state: The reader was released");
    if (core.state === "readable") this.#closed.reject(e);
    else {
      this.#closed = deferred();
      this.#closed.reject(e);
    }
    for (const r of core.requests.splice(0)) r.reject(e);
    core.reader = this.#core = undefined;
  }
}
const held = Reader.held;
delete Reader.held;

export class ReadableStreamDefaultReader extends Reader {
  async read() { return await held(this).read(); }
}

class ReadableStreamBYOBReader extends Reader {
  constructor(stream) {
    if (!inner(stream).bytes) throw new TypeError("a reader in mode byob needs a stream of type bytes");
    super(stream);
  }
  async read(view) {
    const core = held(this);
    if (!ArrayBuffer.isView(view) || view.byteLength === 0) throw new TypeError("read needs a view that is not empty");
    return await core.read(view);
  }
}

const cores = new WeakMap();
export function inner(stream) {
  const core = cores.get(stream);
  if (!core) throw new TypeError("a ReadableStream is needed");
  return core;
}

export class ReadableStream {
  constructor(source = {}, strategy) {
    if (source === null || typeof source !== "object") throw new TypeError("the source of a ReadableStream must be an object");
    if (source.type !== undefined && String(source.type) !== "bytes") throw new TypeError(`a stream's type is "bytes" or absent, not ${source.type}`);
    const core = new Core(source, strategyOf(strategy, source.type === undefined ? 1 : 0));
    cores.set(this, core);
    core.start(core.bytes ? new ReadableByteStreamController(core) : new ReadableStreamDefaultController(core));
  }

  static from(iterable) {
    const make = iterable?.[Symbol.asyncIterator] ?? iterable?.[Symbol.iterator];
    if (typeof make !== "function") throw new TypeError("ReadableStream.from needs an iterable");
    const it = make.call(iterable);
    return new ReadableStream({
      async pull(c) {
        const { value, done } = await it.next();
        if (done) c.close();
        else c.enqueue(await value);
      },
      cancel: async (reason) => { await it.return?.(reason); },
    }, { highWaterMark: 0 });
  }

  get locked() { return inner(this).reader !== undefined; }

  getReader(options) {
    if (options?.mode === undefined) return new ReadableStreamDefaultReader(this);
    if (options.mode !== "byob") throw new TypeError(`the mode of a reader is "byob" or absent, not ${options.mode}`);
    return new ReadableStreamBYOBReader(this);
  }

  async cancel(reason) {
    if (this.locked) throw invalidState("Invalid state: ReadableStream is locked");
    return await inner(this).cancel(reason);
  }

  tee() { return tee(this); }

  pipeThrough(pair, options) {
    if (this.locked || pair.writable.locked) throw invalidState("Invalid state: a stream that is piped must not be locked");
    pipeTo(this, pair.writable, options).catch(() => {});
    return pair.readable;
  }

  pipeTo(target, options) {
    if (this.locked || target.locked) return rejected(invalidState("Invalid state: a stream that is piped must not be locked"));
    return pipeTo(this, target, options);
  }

  values(options) { return iterate(this.getReader(), Boolean(options?.preventCancel)); }
  [Symbol.asyncIterator](options) { return this.values(options); }
}

// iterate reads to the end; who leaves early cancels the stream.
async function* iterate(reader, preventCancel) {
  let over = false;
  try {
    for (;;) {
      const { value, done } = await reader.read().catch((e) => {
        over = true;
        throw e;
      });
      over ||= done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!over && !preventCancel) await reader.cancel();
    reader.releaseLock();
  }
}

expose({ ReadableStream, ReadableStreamDefaultReader, ReadableStreamBYOBReader, ReadableStreamDefaultController, ReadableByteStreamController });
