// process, as far as a tool needs it.
import { bdk, sync } from "./bridge.js";
import { apply, parse, soon } from "./primordials.js";

const about = parse(sync("process.about"));
const started = Date.now();

// env behaves as Node's: every value is text, an absent one undefined.
const env = new Proxy(about.env, {
  set(target, key, value) {
    target[key] = String(value);
    return true;
  },
  defineProperty(target, key, d) {
    return Reflect.defineProperty(target, key, { ...d, value: String(d.value), writable: true, enumerable: true, configurable: true });
  },
});

const hrtime = (before) => {
  const now = BigInt(Math.round(sync("process.now") * 1e6));
  let s = Number(now / 1000000000n), ns = Number(now % 1000000000n);
  if (before) {
    s -= before[0];
    ns -= before[1];
    if (ns < 0) [s, ns] = [s - 1, ns + 1e9];
  }
  return [s, ns];
};
hrtime.bigint = () => BigInt(Math.round(sync("process.now") * 1e6));

const stream = (level) => ({ isTTY: false, fd: level === "info" ? 1 : 2, columns: 80, write: (text) => (sync("log.line", level, String(text).replace(/\n$/, "")), true), on() { return this; }, once() { return this; }, end() {} });

const process = {
  env,
  argv: about.argv, argv0: "bdk", execPath: about.execPath, execArgv: [],
  pid: about.pid, ppid: about.ppid, platform: about.platform, arch: about.arch,
  version: about.version, versions: { node: about.version.slice(1), bdk: about.engine }, release: { name: "node" },
  title: "bdk", exitCode: undefined, features: {}, config: { variables: {} },
  stdout: stream("info"), stderr: stream("error"), stdin: { isTTY: false, on() { return this; } },
  cwd: () => about.cwd,
  chdir: () => { throw new Error("process.chdir is not available: paths are resolved against the project's folder"); },
  exit: (code) => { throw new Error(`process.exit(${code ?? ""}) was called; throw an error or return instead`); },
  abort: () => { throw new Error("process.abort was called; throw an error instead"); },
  kill: () => { throw new Error("process.kill is not available"); },
  uptime: () => (Date.now() - started) / 1000,
  hrtime,
  memoryUsage: Object.assign(() => parse(sync("process.memory")), { rss: () => parse(sync("process.memory")).rss }),
  cpuUsage: (before) => {
    const used = parse(sync("process.cpu"));
    return before ? { user: used.user - before.user, system: used.system - before.system } : used;
  },
  nextTick: (f, ...args) => soon(() => apply(f, undefined, args)),
  umask: () => 0o22,
  getuid: () => about.uid, geteuid: () => about.uid, getgid: () => about.gid, getegid: () => about.gid,
  emitWarning: (w) => console.warn(w?.message ?? w),
};
for (const name of ["on", "once", "off", "addListener", "removeListener", "removeAllListeners", "prependListener", "setMaxListeners"]) process[name] = () => process;
// exitCode can be set, and ends nothing: the host goes on.
process.emit = () => false;
process.listeners = () => [];
process.listenerCount = () => 0;

Object.defineProperty(process, Symbol.toStringTag, { value: "process" });

Object.assign(globalThis, { process, global: globalThis });
bdk.about = about;
