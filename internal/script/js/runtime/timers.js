// Timers. Go keeps the clock, so that a timer that is due comes back on the loop.
import { bdk, sync } from "./bridge.js";
import { apply, assign, Number, soon, Table, TypeError } from "./primordials.js";

let next = 0;
const timers = new Table();

// Timeout is what Node gives: an object that also serves as a number.
class Timeout {
  constructor(id, run, every) {
    this.id = id;
    this.run = run;
    this.every = every;
  }
  #held = true; // nothing hangs on it: the host runs on by itself
  ref() {
    this.#held = true;
    return this;
  }
  unref() {
    this.#held = false;
    return this;
  }
  hasRef() { return this.#held; }
  refresh() { if (timers.has(this.id)) sync("timer.set", this.id, this.every ?? this.delay); return this; }
  close() { clear(this); return this; }
  [Symbol.toPrimitive]() { return this.id; }
}

function arm(f, ms, args, repeat) {
  if (typeof f !== "function") throw new TypeError("the callback of a timer must be a function");
  ms = Number(ms);
  if (!(ms >= 1 && ms <= 2147483647)) ms = ms > 2147483647 ? 1 : ms > 0 ? 1 : repeat ? 1 : 0;
  const timer = new Timeout(++next, () => apply(f, undefined, args), repeat ? ms : undefined);
  timer.delay = ms;
  timers.set(timer.id, timer);
  sync("timer.set", timer.id, ms);
  return timer;
}

function clear(timer) {
  const id = typeof timer === "object" && timer !== null ? timer.id : Number(timer);
  if (timers.delete(id)) sync("timer.clear", id);
}

bdk.entries.fire = (id) => {
  const timer = timers.get(id);
  if (!timer) return;
  if (timer.every === undefined) timers.delete(id);
  else sync("timer.set", id, timer.every);
  timer.run();
};

assign(globalThis, {
  setTimeout: (f, ms, ...args) => arm(f, ms, args, false),
  setInterval: (f, ms, ...args) => arm(f, ms, args, true),
  setImmediate: (f, ...args) => arm(f, 0, args, false),
  clearTimeout: clear,
  clearInterval: clear,
  clearImmediate: clear,
  queueMicrotask: (f) => {
    if (typeof f !== "function") throw new TypeError("queueMicrotask needs a function");
    soon(() => f());
  },
});
