// node:perf_hooks over the global.
const p = globalThis.performance;
export { p as performance };
export default { performance: p };
