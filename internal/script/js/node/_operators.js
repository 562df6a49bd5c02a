// What a Readable can do like an array, and how it becomes and comes of others.
import { coded } from "./_errors.js";
import { Readable } from "./_readable.js";
import { Writable } from "./_writable.js";
import { Duplex } from "./_duplex.js";

Readable.from = function from(source, options) {
  if (typeof source === "string" || source instanceof Uint8Array) source = [source];
  const it = source?.[Symbol.asyncIterator]?.() ?? source?.[Symbol.iterator]?.();
  if (!it) throw coded(TypeError, "ERR_INVALID_ARG_TYPE", 'The "iterable" argument must be an instance of Iterable.');
  return new Readable({
    objectMode: true, highWaterMark: 1, ...options,
    read() {
      Promise.resolve(it.next()).then(async ({ value, done }) => {
        if (done) return this.push(null);
        value = await value;
        if (value === null) throw coded(TypeError, "ERR_STREAM_NULL_VALUES", "May not write null values to stream");
        this.push(value);
      }).catch((e) => this.destroy(e));
    },
    destroy(e, done) {
      Promise.resolve(it.return?.()).then(() => done(e), (x) => done(e ?? x));
    },
  });
};
Readable.fromWeb = (web, options) => Readable.from(web, { objectMode: false, highWaterMark: undefined, ...options });
Readable.toWeb = (stream) => globalThis.ReadableStream.from(bytesOnly(stream));
Writable.fromWeb = (web, options) => {
  const writer = web.getWriter();
  return new Writable({
    ...options,
    write(chunk, _, done) { writer.ready.then(() => writer.write(chunk)).then(() => done(), done); },
    final(done) { writer.close().then(() => done(), done); },
    destroy(e, done) { if (e) writer.abort(e).then(() => done(e), () => done(e)); else done(null); },
  });
};
Writable.toWeb = (stream) => new globalThis.WritableStream({
  write: (chunk) => new Promise((resolve, reject) => stream.write(chunk, (e) => (e ? reject(e) : resolve()))),
  close: () => new Promise((resolve, reject) => stream.end((e) => (e ? reject(e) : resolve()))),
  abort: (e) => { stream.destroy(e); },
});
Duplex.fromWeb = ({ readable, writable }, options) => {
  const from = readable.getReader(), to = writable.getWriter();
  return new Duplex({
    ...options,
    read() { from.read().then(({ value, done }) => this.push(done ? null : value), (e) => this.destroy(e)); },
    write(chunk, _, done) { to.write(chunk).then(() => done(), done); },
    final(done) { to.close().then(() => done(), done); },
  });
};
Duplex.toWeb = (stream) => ({ readable: Readable.toWeb(stream), writable: Writable.toWeb(stream) });
Duplex.from = (source) => {
  if (source?.readable && source?.writable && !(source instanceof Duplex)) return Duplex.fromWeb(source);
  const from = Readable.from(source);
  const d = new Duplex({ objectMode: true, writable: false, read() { from.resume(); } });
  from.on("data", (chunk) => { if (!d.push(chunk)) from.pause(); });
  from.on("end", () => d.push(null));
  from.on("error", (e) => d.destroy(e));
  return d;
};

// bytesOnly gives the chunks of a byte stream as Uint8Arrays, others as they are.
async function* bytesOnly(stream) {
  for await (const chunk of stream) yield Buffer.isBuffer(chunk) ? new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength) : chunk;
}

const streaming = {
  async *map(all, f) { for await (const x of all) yield await f(x); },
  async *filter(all, f) { for await (const x of all) if (await f(x)) yield x; },
  async *flatMap(all, f) { for await (const x of all) yield* await f(x); },
  async *take(all, n) {
    if (n <= 0) return;
    for await (const x of all) {
      yield x;
      if (--n <= 0) return;
    }
  },
  async *drop(all, n) { for await (const x of all) if (n-- <= 0) yield x; },
};
for (const [name, f] of Object.entries(streaming)) Readable.prototype[name] = function (arg) { return Readable.from(f(this, arg)); };

Object.assign(Readable.prototype, {
  async toArray() {
    const all = [];
    for await (const x of this) all.push(x);
    return all;
  },
  async forEach(f) { for await (const x of this) await f(x); },
  async some(f) {
    for await (const x of this) if (await f(x)) return true;
    return false;
  },
  async every(f) { return !(await this.some(async (x) => !(await f(x)))); },
  async find(f) { for await (const x of this) if (await f(x)) return x; },
  async reduce(f, ...start) {
    let sum = start[0], empty = start.length === 0;
    for await (const x of this) {
      sum = empty ? x : await f(sum, x);
      empty = false;
    }
    if (empty) throw coded(TypeError, "ERR_MISSING_ARGS", "Reduce of an empty stream requires an initial value");
    return sum;
  },
});
