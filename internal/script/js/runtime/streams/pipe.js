// pipeTo moves all chunks of a readable stream into a writable one, no faster
// than that takes them. The end of either, and the signal, end the other.
export async function pipeTo(from, to, options = {}) {
  const { preventClose = false, preventAbort = false, preventCancel = false, signal } = options ?? {};
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError("the signal of a pipe must be an AbortSignal");
  const reader = from.getReader(), writer = to.getWriter();
  const stop = Promise.withResolvers();
  const aborted = () => stop.resolve({ from: "signal", reason: signal.reason });
  if (signal?.aborted) aborted();
  signal?.addEventListener("abort", aborted);
  writer.closed.then(() => stop.resolve({ from: "closed", reason: new TypeError("the stream that is written to was closed") }), (reason) => stop.resolve({ from: "writer", reason }));
  reader.closed.catch((reason) => stop.resolve({ from: "reader", reason }));
  try {
    const end = await move(reader, writer, stop.promise);
    if (!end) {
      if (!preventClose) await writer.close();
      return;
    }
    const work = [];
    if (end.from !== "writer" && end.from !== "closed" && !preventAbort) work.push(writer.abort(end.reason));
    if (end.from !== "reader" && !preventCancel) work.push(reader.cancel(end.reason));
    await Promise.all(work);
    throw end.reason;
  } finally {
    signal?.removeEventListener("abort", aborted);
    reader.releaseLock();
    writer.releaseLock();
  }
}

// move gives why it stopped, nothing at the end of the source.
async function move(reader, writer, stopped) {
  let last;
  for (;;) {
    let stop = await Promise.race([writer.ready.then(() => undefined, () => stopped), stopped]);
    if (stop) return settle(stop, last);
    const step = await Promise.race([reader.read(), stopped.then((s) => ({ stop: s }))]).catch(() => ({ failed: true }));
    if (step.failed) return settle(await stopped, last);
    if (step.stop) return settle(step.stop, last);
    if (step.done) {
      await last?.catch(() => {});
      stop = await Promise.race([stopped, undefined]);
      return stop?.from === "writer" ? stop : undefined;
    }
    last = writer.write(step.value);
    last.catch(() => {});
  }
}

// settle lets what was written come through before the pipe ends.
async function settle(stop, last) {
  if (stop.from === "reader") await last?.catch(() => {});
  return stop;
}
