// node:timers/promises.
import { abortError as aborted } from "./_errors.js";

function wait(ms, value, options) {
  const signal = options?.signal;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(aborted(signal));
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve(value);
    }, ms);
    const stop = () => {
      globalThis.clearTimeout(timer);
      reject(aborted(signal));
    };
    signal?.addEventListener("abort", stop, { once: true });
  });
}

async function* every(ms, value, options) {
  for (;;) yield await wait(ms, value, options);
}

const soon = (value, options) => wait(0, value, options);
export { wait as setTimeout, every as setInterval, soon as setImmediate };
export const scheduler = { wait: (ms, options) => wait(ms, undefined, options), yield: () => wait(0) };
export default { setTimeout: wait, setInterval: every, setImmediate: soon, scheduler };
