// A rejected promise that nobody awaits is logged with its place. The engine
// tells of rejections and of handlers that come later; what is left when the
// loop is about to rest has no handler.
import { bdk, sync } from "./bridge.js";
import { describe } from "./errors.js";

const unhandled = new Map();

Object.defineProperty(globalThis, "__rejected", { value: (promise, reason) => { unhandled.set(promise, reason); } });
Object.defineProperty(globalThis, "__handled", { value: (promise) => { unhandled.delete(promise); } });

bdk.entries.rejections = () => {
  const reasons = [...unhandled.values()];
  unhandled.clear();
  for (const reason of reasons) sync("log.rejection", describe(reason));
};
