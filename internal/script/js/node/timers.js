// node:timers over the globals.
import promisesOf from "./timers_promises.js";

const { setTimeout: t, setInterval: i, setImmediate: m, clearTimeout: ct, clearInterval: ci, clearImmediate: cm } = globalThis;
export { t as setTimeout, i as setInterval, m as setImmediate, ct as clearTimeout, ci as clearInterval, cm as clearImmediate };
export const promises = promisesOf;
export default { setTimeout: t, setInterval: i, setImmediate: m, clearTimeout: ct, clearInterval: ci, clearImmediate: cm, promises };
