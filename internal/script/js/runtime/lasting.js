// waitUntil: a call goes on after its answer until what it was given has settled.
import { sync } from "./bridge.js";
import { describe } from "./errors.js";
import { defineProperty, isPromise, isThenable, TypeError, whenSettled } from "./primordials.js";

// bindWaitUntil gives the waitUntil of a call. What the promise is rejected with is logged.
export const bindWaitUntil = (call) => (promise) => {
  if (!isThenable(promise)) throw new TypeError("waitUntil needs a promise");
  const work = sync("call.lasts", call);
  const ok = () => { sync("call.lasted", call, work, ""); }, failed = (e) => { sync("call.lasted", call, work, describe(e)); };
  try {
    if (isPromise(promise)) whenSettled(promise, ok, failed);
    else promise.then(ok, failed);
  } catch (e) {
    failed(e); // its then is of its own making
  }
};

const parts = ["host", "artifacts", "log", "agent", "now", "signal", "stateRoot"];

// withHost gives a ctx what every call has. The parts cost nothing until they are read.
export function withHost(ctx, context) {
  for (let i = 0; i < parts.length; i++) {
    const name = parts[i];
    defineProperty(ctx, name, { get: () => context[name], enumerable: true, configurable: true });
  }
  return ctx;
}
