// tee gives two streams that both have all chunks of one. Bytes are copied for
// the second, so that nobody sees what the other does with them.
import { inner, ReadableStream } from "./readable.js";

export function tee(stream) {
  const reader = stream.getReader(), type = inner(stream).bytes ? "bytes" : undefined;
  const sides = [], cancelled = [];
  const { promise: over, resolve } = Promise.withResolvers();
  let reading, ended = false;

  const each = (f) => sides.forEach((c, i) => { if (i in cancelled === false) f(c, i); });
  const pull = () => (reading ??= reader.read().then(({ value, done }) => {
    reading = undefined;
    if (!done) return each((c, i) => c.enqueue(i === 1 && value instanceof Uint8Array ? value.slice() : value));
    ended = true;
    each((c) => c.close());
    resolve();
  }, fail));
  const fail = (e) => {
    ended = true;
    each((c) => c.error(e));
    resolve();
  };
  reader.closed.catch(fail);

  const side = (i) => new ReadableStream({
    type,
    start(c) { sides[i] = c; },
    pull,
    cancel(reason) {
      cancelled[i] = reason;
      if (!ended && 0 in cancelled && 1 in cancelled) reader.cancel([...cancelled]).then(resolve, resolve);
      return ended ? undefined : over;
    },
  }, { highWaterMark: type ? 0 : 1 });
  return [side(0), side(1)];
}
