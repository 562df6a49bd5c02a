// A rejected promise that nobody awaits is logged with its place. The engine
// tells of rejections and of handlers that come later; what is left when the
// loop is about to rest has no handler.
import { bdk, sync } from "./bridge.js";
import { describe } from "./errors.js";
import { defineProperty, Table } from "./primordials.js";

let unhandled = new Table();

defineProperty(globalThis, "__rejected", { value: (promise, reason) => { unhandled.set(promise, reason); } });
defineProperty(globalThis, "__handled", { value: (promise) => { unhandled.delete(promise); } });

bdk.entries.rejections = () => {
  const found = unhandled;
  unhandled = new Table();
  found.forEach((reason) => sync("log.rejection", describe(reason)));
};
