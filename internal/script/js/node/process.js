// node:process over the global.
const p = globalThis.process;
export const { env, argv, argv0, execPath, pid, ppid, platform, arch, version, versions, stdout, stderr, stdin, cwd, exit, hrtime, nextTick, uptime, memoryUsage, emitWarning } = p;
export default p;
