// The end of streams, and chains of them.
import { abortError, coded, needsFunction } from "./_errors.js";
import { Duplex } from "./_duplex.js";

const early = () => coded(Error, "ERR_STREAM_PREMATURE_CLOSE", "Premature close");
export const isNodeStream = (x) => Boolean(x?._stream) || (typeof x?.on === "function" && (typeof x.pipe === "function" || typeof x.write === "function"));
const isReadable = (s) => s._readableState !== undefined || (s.readable !== undefined && typeof s.pipe === "function");
const isWritable = (s) => s._writableState !== undefined || typeof s.write === "function";

// finished tells, once, when a stream can be read and written no more.
export function finished(stream, options, done) {
  if (typeof options === "function") [options, done] = [{}, options];
  needsFunction(done);
  const { signal } = options ?? {};
  let reading = options?.readable ?? isReadable(stream), writing = options?.writable ?? isWritable(stream);
  let told = false;
  const off = () => {
    for (const [name, f] of Object.entries(on)) stream.off(name, f);
    signal?.removeEventListener("abort", aborted);
  };
  const tell = (e) => {
    if (told) return;
    told = true;
    off();
    done.call(stream, e);
  };
  const step = () => { if (!reading && !writing) tell(); };
  const on = {
    end: () => { reading = false; step(); },
    finish: () => { writing = false; step(); },
    error: (e) => tell(e),
    close: () => {
      if (stream.errored && options?.error !== false) return tell(stream.errored);
      const open = (reading && !stream.readableEnded) || (writing && !stream.writableFinished);
      tell(open ? early() : undefined);
    },
  };
  const aborted = () => tell(abortError(signal));
  for (const [name, f] of Object.entries(on)) stream.on(name, f);
  if (signal?.aborted) process.nextTick(aborted);
  else signal?.addEventListener("abort", aborted, { once: true });
  if (stream.readableEnded) reading = false;
  if (stream.writableFinished) writing = false;
  if (stream.closed) process.nextTick(on.close);
  else if (stream.errored) process.nextTick(on.error, stream.errored);
  else if (!reading && !writing && (stream.readableEnded || stream.writableFinished)) process.nextTick(step);
  return () => {
    told = true;
    off();
  };
}

export const finishedPromise = (stream, options) => new Promise((resolve, reject) => finished(stream, options ?? {}, (e) => (e ? reject(e) : resolve())));

// feed writes what an iterable gives into a stream, no faster than that takes it.
async function feed(source, target, end) {
  for await (const chunk of source) {
    if (target.destroyed) return;
    if (target.write(chunk) === false) await new Promise((done) => { for (const name of ["drain", "close", "error"]) target.once(name, done); });
  }
  if (end) target.end();
}

async function feedWeb(source, web) {
  const writer = web.getWriter();
  try {
    for await (const chunk of source) {
      await writer.ready;
      await writer.write(chunk);
    }
    await writer.close();
  } catch (e) {
    await writer.abort(e).catch(() => {});
    throw e;
  }
}

function firstOf(x, context) {
  if (typeof x === "function") x = x(context);
  if (isNodeStream(x) || typeof x?.[Symbol.asyncIterator] === "function" || typeof x?.[Symbol.iterator] === "function") return x;
  throw coded(TypeError, "ERR_INVALID_ARG_TYPE", "The first of a pipeline must be a stream or an iterable");
}

// pump runs a pipeline; what its last function returns is what it gives.
export async function pump(list, options = {}) {
  if (list.length < 2) throw coded(TypeError, "ERR_MISSING_ARGS", 'The "streams" argument must be specified');
  const aborter = new AbortController(), context = { signal: aborter.signal };
  const streams = list.filter(isNodeStream), ends = [];
  let failure, result, current = firstOf(list[0], context);
  const fail = (e) => {
    failure ??= { e };
    aborter.abort(e);
    for (const s of streams) if (!s.destroyed) s.on("error", () => {}).destroy(failure.e);
  };
  const watch = (p) => ends.push(p.catch(fail));
  const stop = () => fail(abortError(options.signal));
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener("abort", stop, { once: true });
  for (let i = 0; i < list.length; i++) {
    const last = i === list.length - 1, s = i === 0 ? current : list[i];
    if (isNodeStream(s)) watch(finishedPromise(s, { readable: !last && isReadable(s), writable: i > 0 && isWritable(s) }));
    if (i === 0) continue;
    if (isNodeStream(s)) {
      if (isNodeStream(current)) current.pipe(s, { end: !last || options.end !== false });
      else watch(feed(current, s, !last || options.end !== false));
      current = s;
    } else if (typeof s?.getWriter === "function") watch(feedWeb(current, s));
    else if (typeof s?.writable?.getWriter === "function") {
      watch(feedWeb(current, s.writable));
      current = s.readable;
    } else {
      const made = needsFunction(s, "streams[" + i + "]")(current, context);
      if (last) watch((async () => { result = typeof made?.[Symbol.asyncIterator] === "function" ? await drain(made) : await made; })());
      current = made;
    }
  }
  await Promise.all(ends);
  options.signal?.removeEventListener("abort", stop);
  if (failure) throw failure.e;
  return result;
}

async function drain(iterable) { for await (const _ of iterable); }

const isOptions = (x) => x !== null && typeof x === "object" && !isNodeStream(x) && typeof x[Symbol.asyncIterator] !== "function" && typeof x[Symbol.iterator] !== "function" && typeof x.getWriter !== "function" && !x.writable;

export function pipelinePromise(...streams) {
  const options = isOptions(streams[streams.length - 1]) ? streams.pop() : {};
  return pump(streams.flat(), options);
}

export function pipeline(...streams) {
  const done = needsFunction(streams.pop(), "streams[stream.length - 1]"), list = streams.flat();
  pump(list).then((value) => process.nextTick(done, undefined, value), (e) => process.nextTick(done, e));
  return list[list.length - 1];
}

// compose makes one duplex of a chain.
export function compose(...list) {
  const input = list[0], output = list[list.length - 1];
  for (let i = 0; i + 1 < list.length; i++) list[i].pipe(list[i + 1]);
  const d = new Duplex({
    objectMode: true,
    write(chunk, encoding, done) { if (input.write(chunk, encoding) === false) input.once("drain", () => done()); else done(); },
    final(done) { input.end(done); },
    read() { output.resume(); },
  });
  output.on("data", (chunk) => { if (!d.push(chunk)) output.pause(); });
  output.on("end", () => d.push(null));
  for (const s of list) s.on("error", (e) => d.destroy(e));
  return d;
}
