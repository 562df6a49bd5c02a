// node:child_process. A process runs in a group of its own, which is killed whole.
import { EventEmitter } from "./events.js";
import { Readable, Writable } from "./stream.js";

const { sync, async, listen, unlisten, toWire, fromWire } = __bdk;

// spec is what Go starts; options.shell runs the command line with sh.
function spec(file, args, options = {}) {
  if (options.shell) {
    const shell = typeof options.shell === "string" ? options.shell : "/bin/sh";
    [file, args] = [shell, ["-c", [file, ...(args ?? [])].join(" ")]];
  }
  return {
    file: String(file), args: (args ?? []).map(String), cwd: options.cwd ? String(options.cwd instanceof URL ? options.cwd.pathname : options.cwd) : "",
    env: envOf(options.env), maxBuffer: Number.isFinite(options.maxBuffer) ? options.maxBuffer : 1 << 30, timeout: options.timeout ?? 0,
  };
}

function envOf(env) {
  const out = {};
  for (const [k, v] of Object.entries(env ?? process.env)) if (v !== undefined) out[k] = String(v);
  return out;
}

class ChildProcess extends EventEmitter {
  #handle;
  exitCode = null;
  signalCode = null;
  killed = false;
  connected = false;

  constructor(file, args, options) {
    super();
    const what = spec(file, args, options);
    this.spawnfile = what.file;
    this.spawnargs = [what.file, ...what.args];
    const started = JSON.parse(sync("child.start", JSON.stringify(what)));
    this.stdout = new Readable();
    this.stderr = new Readable();
    if (started.error) {
      this.stdin = new Writable({ write: (_, __, next) => next() });
      queueMicrotask(() => this.#refused(started));
      return;
    }
    this.#handle = started.handle;
    this.pid = started.pid;
    this.stdin = this.#input();
    listen(this.#handle, (type, value) => this.#heard(type, value));
    this.#bind(options);
    queueMicrotask(() => this.emit("spawn"));
  }

  // #bind ends the process with its signal and its time limit.
  #bind(options) {
    const kill = options?.killSignal ?? "SIGTERM";
    if (options?.timeout) {
      const timer = setTimeout(() => this.kill(kill), options.timeout);
      this.once("exit", () => clearTimeout(timer));
    }
    const signal = options?.signal;
    if (!signal) return;
    const stop = () => {
      this.kill(kill);
      this.emit("error", Object.assign(new DOMException("The operation was aborted", "AbortError"), { cause: signal.reason }));
    };
    if (signal.aborted) queueMicrotask(stop);
    else signal.addEventListener("abort", stop, { once: true });
    this.once("exit", () => signal.removeEventListener("abort", stop));
  }

  #input() {
    const handle = this.#handle;
    return new Writable({
      write(chunk, encoding, next) { async(0, "child.write", handle, toWire(Buffer.from(chunk, encoding))).then(() => next(), next); },
      final(next) { async(0, "child.end", handle).then(() => next(), next); },
    });
  }

  #refused(end) {
    this.stdout.push(null);
    this.stderr.push(null);
    this.emit("error", failure(end, this.spawnfile, this.spawnargs.slice(1)));
    this.emit("close", -2, null);
  }

  #heard(type, value) {
    if (type !== "exit") return this[type].push(Buffer.from(fromWire(value)));
    unlisten(this.#handle);
    const end = JSON.parse(value);
    this.exitCode = end.code ?? null;
    this.signalCode = end.signal ?? null;
    this.stdout.push(null);
    this.stderr.push(null);
    this.emit("exit", this.exitCode, this.signalCode);
    queueMicrotask(() => this.emit("close", this.exitCode, this.signalCode));
  }

  kill(signal = "SIGTERM") {
    const done = this.#handle !== undefined && sync("child.kill", this.#handle, String(signal));
    if (done) this.killed = true;
    return done;
  }
  ref() {}
  unref() {}
  disconnect() {}
}

const failure = (end, file, args) => Object.assign(new Error(end.error), { errno: -2, code: end.errno, syscall: "spawn " + file, path: file, spawnargs: args });

const split = (args, options) => (Array.isArray(args) ? [args, options] : [[], args ?? options]);

export function spawn(file, args, options) {
  const [list, opts] = split(args, options);
  return new ChildProcess(file, list, opts);
}

export function execFile(file, args, options, done) {
  if (typeof args === "function") [args, options, done] = [[], {}, args];
  else if (typeof options === "function") [args, options, done] = [...split(args, {}), options];
  if (!Array.isArray(args)) [args, options] = [[], args];
  options ??= {};
  const child = new ChildProcess(file, args, options);
  const parts = { stdout: [], stderr: [] }, limit = options.maxBuffer ?? 1 << 20;
  let failed, size = { stdout: 0, stderr: 0 };
  for (const name of ["stdout", "stderr"]) {
    child[name].on("data", (chunk) => {
      size[name] += chunk.length;
      if (size[name] <= limit) return parts[name].push(chunk);
      failed ??= Object.assign(new RangeError(`${name} maxBuffer length exceeded`), { code: "ERR_CHILD_PROCESS_STDIO_MAXBUFFER" });
      child.kill("SIGKILL");
    });
  }
  const text = (name) => {
    const bytes = Buffer.concat(parts[name]);
    return options.encoding === "buffer" ? bytes : bytes.toString(options.encoding ?? "utf8");
  };
  let told = false;
  const tell = (e) => {
    if (told) return;
    told = true;
    const stdout = text("stdout"), stderr = text("stderr");
    if (e) Object.assign(e, { stdout, stderr });
    done?.(e ?? null, stdout, stderr);
  };
  child.on("error", tell);
  child.on("close", (code, signal) => {
    if (!failed && code === 0 && !signal) return tell(null);
    const cmd = [file, ...args].join(" ");
    tell(failed ?? Object.assign(new Error(`Command failed: ${cmd}\n${text("stderr")}`), { code: code ?? null, killed: child.killed, signal, cmd }));
  });
  return child;
}

export function exec(command, options, done) {
  if (typeof options === "function") [options, done] = [{}, options];
  return execFile(command, [], { ...options, shell: options?.shell ?? true }, done);
}

// The promise forms, as util.promisify gives them.
const promised = (f) => (...args) => {
  let child;
  const p = new Promise((resolve, reject) => {
    child = f(...args, (e, stdout, stderr) => (e ? reject(e) : resolve({ stdout, stderr })));
  });
  return Object.assign(p, { child });
};
execFile[Symbol.for("nodejs.util.promisify.custom")] = promised(execFile);
exec[Symbol.for("nodejs.util.promisify.custom")] = promised(exec);

export function spawnSync(file, args, options) {
  const [list, opts] = split(args, options);
  const what = spec(file, list, opts);
  if (opts?.input !== undefined) what.input = toWire(typeof opts.input === "string" ? Buffer.from(opts.input) : __bdk.asBytes(opts.input));
  const end = JSON.parse(sync("child.run", JSON.stringify(what)));
  const out = (wire) => {
    const bytes = Buffer.from(fromWire(wire ?? ""));
    return opts?.encoding && opts.encoding !== "buffer" ? bytes.toString(opts.encoding) : bytes;
  };
  const stdout = out(end.stdout), stderr = out(end.stderr);
  const result = { pid: end.pid, status: end.code ?? null, signal: end.signal ?? null, stdout, stderr, output: [null, stdout, stderr] };
  if (end.error) result.error = failure(end, what.file, what.args);
  return result;
}

export function execFileSync(file, args, options) {
  const [list, opts] = split(args, options);
  const r = spawnSync(file, list, opts);
  if (r.error) throw r.error;
  if (r.status !== 0) throw Object.assign(new Error(`Command failed: ${[file, ...list].join(" ")}\n${r.stderr.toString()}`), r);
  return r.stdout;
}

export const execSync = (command, options) => execFileSync(command, [], { ...options, shell: options?.shell ?? true });
export const fork = () => { throw new Error("child_process.fork is not part of this runtime: spawn a program instead"); };
export { ChildProcess };
export default { spawn, exec, execFile, spawnSync, execSync, execFileSync, fork, ChildProcess };
