// WritableStream with its controller and writer.
import { expose } from "../primordials.js";
import { deferred, invalidState, Queue, rejected, strategyOf } from "./queue.js";

const last = Symbol("close");

// A Core is the state of one WritableStream: writable, erroring (what runs
// comes to its end first), errored, closed.
class Core {
  state = "writable";
  failure = undefined;
  queue = new Queue();
  writer = undefined;
  closing = undefined; // settled when close has come through
  #busy = false;
  #started = false;
  #abort = undefined;
  aborter = new AbortController();

  constructor(sink, { mark, size }) {
    this.sink = sink;
    this.mark = mark;
    this.size = size;
  }

  start(controller) {
    this.controller = controller;
    const wait = this.sink.start?.(controller);
    const ready = () => {
      this.#started = true;
      this.#next();
    };
    Promise.resolve(wait).then(ready, (e) => {
      this.#started = true;
      this.error(e);
    });
  }

  get desired() {
    if (this.state === "errored" || this.state === "erroring") return null;
    return this.state === "closed" ? 0 : this.mark - this.queue.total;
  }

  // refusal says why nothing can be written, undefined where it can.
  refusal() {
    if (this.state === "erroring" || this.state === "errored") return this.failure;
    if (this.state === "closed" || this.closing) return invalidState("Invalid state: the stream is closed, or about to be");
    return undefined;
  }

  write(chunk) {
    const why = this.refusal();
    if (why !== undefined || this.state !== "writable") return rejected(why);
    const d = deferred();
    try {
      this.queue.push({ chunk, d }, this.size(chunk));
    } catch (e) {
      this.error(e);
      return rejected(e);
    }
    this.#pressure();
    this.#next();
    return d.promise;
  }

  close() {
    const why = this.refusal();
    if (why !== undefined || this.state !== "writable") return rejected(why);
    this.closing = deferred();
    this.queue.push({ chunk: last, d: this.closing }, 0);
    this.writer?.ready.resolve();
    this.#next();
    return this.closing.promise;
  }

  abort(reason) {
    if (this.state === "closed" || this.state === "errored") return Promise.resolve();
    this.aborter.abort(reason);
    if (this.#abort) return this.#abort.promise;
    this.#abort = deferred();
    const { promise } = this.#abort;
    const before = this.state === "erroring";
    this.error(reason, before);
    return promise;
  }

  error(e) {
    if (this.state === "writable") {
      this.state = "erroring";
      this.failure = e;
      if (this.writer) {
        this.writer.ready.reject(e);
        if (this.writer.ready.settled) this.writer.ready = failed(e);
      }
    }
    if (!this.#busy && this.#started && this.state === "erroring") this.#finishErroring();
  }

  async #finishErroring() {
    this.state = "errored";
    while (this.queue.length) this.queue.shift().d.reject(this.failure);
    this.closing?.reject(this.failure);
    const abort = this.#abort;
    try {
      if (abort) await this.sink.abort?.(this.failure);
      abort?.resolve();
    } catch (e) {
      abort?.reject(e);
    }
    this.writer?.closed.reject(this.failure);
  }

  // #pressure makes a new ready where the queue is full, and settles it where not.
  #pressure() {
    if (!this.writer || this.state !== "writable" || this.closing) return;
    if (this.desired > 0) settle(this.writer.ready);
    else if (this.writer.ready.settled) this.writer.ready = waiting();
  }

  #next() {
    if (this.#busy || !this.#started) return;
    if (this.state === "erroring") return void this.#finishErroring();
    if (this.state !== "writable" || this.queue.length === 0) return;
    const { chunk, d } = this.queue.shift();
    this.#busy = true;
    const run = async () => (chunk === last ? await this.sink.close?.() : await this.sink.write?.(chunk, this.controller));
    run().then(() => {
      this.#busy = false;
      d.resolve();
      if (chunk === last) return this.#closed();
      this.#pressure();
      this.#next();
    }, (e) => {
      this.#busy = false;
      d.reject(e);
      this.error(e);
    });
  }

  #closed() {
    this.state = "closed";
    this.#abort?.resolve();
    this.writer?.closed.resolve();
  }
}

// A ready promise knows whether it is settled.
const waiting = () => Object.assign(deferred(), { settled: false });
const settle = (ready) => {
  ready.settled = true;
  ready.resolve();
};
const failed = (e) => {
  const d = waiting();
  d.settled = true;
  d.reject(e);
  return d;
};

class WritableStreamDefaultController {
  #core;
  constructor(core) { this.#core = core; }
  get signal() { return this.#core.aborter.signal; }
  error(e) { if (this.#core.state === "writable") this.#core.error(e); }
}

class WritableStreamDefaultWriter {
  #core;
  #own;
  constructor(stream) {
    const core = inner(stream);
    if (core.writer) throw invalidState("Invalid state: WritableStream is locked");
    this.#core = core;
    this.#own = core.writer = { ready: waiting(), closed: deferred() };
    if (core.state === "erroring" || core.state === "errored") this.#own.ready = failed(core.failure);
    else if (core.state === "closed" || core.closing || core.desired > 0) settle(this.#own.ready);
    if (core.state === "closed") this.#own.closed.resolve();
    if (core.state === "errored") this.#own.closed.reject(core.failure);
  }

  #held() {
    if (!this.#core) throw invalidState("Invalid state: the writer was released");
    return this.#core;
  }

  get closed() { return this.#own.closed.promise; }
  get ready() { return this.#own.ready.promise; }
  get desiredSize() { return this.#held().desired; }
  async write(chunk) { return await this.#held().write(chunk); }
  async close() { return await this.#held().close(); }
  async abort(reason) { return await this.#held().abort(reason); }

  releaseLock() {
    if (!this.#core) return;
    const e = invalidState("Invalid state: the writer was released");
    this.#own.ready = failed(e);
    this.#own.closed.reject(e);
    this.#core.writer = this.#core = undefined;
  }
}

const cores = new WeakMap();
function inner(stream) {
  const core = cores.get(stream);
  if (!core) throw new TypeError("a WritableStream is needed");
  return core;
}

export class WritableStream {
  constructor(sink = {}, strategy) {
    if (sink?.type !== undefined) throw new RangeError("the type of a sink must be absent");
    const core = new Core(sink ?? {}, strategyOf(strategy, 1));
    cores.set(this, core);
    core.start(new WritableStreamDefaultController(core));
  }

  get locked() { return inner(this).writer !== undefined; }
  getWriter() { return new WritableStreamDefaultWriter(this); }

  async close() {
    if (this.locked) throw invalidState("Invalid state: WritableStream is locked");
    return await inner(this).close();
  }

  async abort(reason) {
    if (this.locked) throw invalidState("Invalid state: WritableStream is locked");
    return await inner(this).abort(reason);
  }
}

expose({ WritableStream, WritableStreamDefaultWriter, WritableStreamDefaultController });
