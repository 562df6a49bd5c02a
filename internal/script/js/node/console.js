// node:console over the global.
const c = globalThis.console;
export const { log, info, debug, warn, error, trace, dir, table, group, groupEnd, time, timeEnd, count } = c;
export default c;
