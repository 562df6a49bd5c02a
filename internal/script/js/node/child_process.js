// node:child_process. A process runs in a group of its own, which is killed whole.
import { EventEmitter } from "./events.js";
import { Readable, Writable } from "./stream.js";
import { abortError, coded, invalidType } from "./_errors.js";
import { fileURLToPath } from "./url.js";

const { sync, async, listen, unlisten, toWire, fromWire } = __bdk;

// spec is what Go starts; options.shell runs the command line with sh.
function spec(file, args, options = {}) {
  if (options.shell) {
    const shell = typeof options.shell === "string" ? options.shell : "/bin/sh";
    [file, args] = [shell, ["-c", [file, ...(args ?? [])].join(" ")]];
  }
  if (typeof file !== "string" || file === "") throw invalidType("file", "a text that is not empty", file);
  for (const text of [file, ...(args ?? [])]) if (String(text).includes("\0")) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", "The arguments of a process must not contain null bytes");
  return {
    file, args: (args ?? []).map(String), cwd: options.cwd ? (options.cwd instanceof URL ? fileURLToPath(options.cwd) : String(options.cwd)) : "",
    env: envOf(options.env), maxBuffer: Number.isFinite(options.maxBuffer) ? options.maxBuffer : 1 << 30, timeout: options.timeout ?? 0,
    killSignal: signalName(options.killSignal), detached: Boolean(options.detached),
  };
}

const numbers = { 1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 9: "SIGKILL", 10: "SIGUSR1", 12: "SIGUSR2", 15: "SIGTERM" };
const signalName = (signal = "SIGTERM") => numbers[signal] ?? String(signal);

// stdioOf says for stdin, stdout and stderr: pipe, ignore, or inherit, which is
// the log. Other descriptors are not passed on.
function stdioOf(stdio = "pipe") {
  const list = Array.isArray(stdio) ? stdio : [stdio, stdio, stdio];
  return [0, 1, 2].map((i) => {
    const how = list[i] ?? "pipe";
    if (how === "pipe" || how === "overlapped") return "pipe";
    if (how === "ignore" || how === "inherit") return how;
    if (how === 0 || how === 1 || how === 2 || how === process.stdout || how === process.stderr) return "inherit";
    throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `stdio ${i} must be "pipe", "ignore" or "inherit" here`);
  });
}

// inherited writes a process's output into the log, line by line.
function inherited(stream, level) {
  let rest = "";
  const tell = (line) => sync("log.line", level, line);
  stream.setEncoding("utf8");
  stream.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.forEach(tell);
  });
  stream.on("end", () => { if (rest) tell(rest); });
}

function envOf(env) {
  const out = {};
  for (const [k, v] of Object.entries(env ?? process.env)) if (v !== undefined) out[k] = String(v);
  return out;
}

class ChildProcess extends EventEmitter {
  #handle;
  #out;
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
    const how = stdioOf(options?.stdio);
    this.#out = { stdout: new Readable({ read() {} }), stderr: new Readable({ read() {} }) };
    ["stdout", "stderr"].forEach((name, i) => {
      const stream = this.#out[name];
      if (how[i + 1] === "inherit") inherited(stream, i ? "error" : "info");
      if (how[i + 1] === "ignore") stream.resume();
      this[name] = how[i + 1] === "pipe" ? stream : null;
    });
    this.stdin = started.error ? new Writable({ write: (_, __, next) => next() }) : this.#input(started.handle);
    if (how[0] !== "pipe") {
      this.stdin.end();
      this.stdin = null;
    }
    this.stdio = [this.stdin, this.stdout, this.stderr];
    if (started.error) {
      process.nextTick(() => this.#refused(started));
      return;
    }
    this.#handle = started.handle;
    this.pid = started.pid;
    listen(this.#handle, (type, value) => this.#heard(type, value));
    this.#bind(options);
    process.nextTick(() => this.emit("spawn"));
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
      this.emit("error", abortError(signal));
    };
    if (signal.aborted) process.nextTick(stop);
    else signal.addEventListener("abort", stop, { once: true });
    this.once("exit", () => signal.removeEventListener("abort", stop));
  }

  #input(handle) {
    return new Writable({
      write(chunk, encoding, next) { async(0, "child.write", handle, toWire(Buffer.from(chunk, encoding))).then(() => next(), next); },
      final(next) { async(0, "child.end", handle).then(() => next(), next); },
    });
  }

  #refused(end) {
    this.exitCode = -2;
    this.#out.stdout.push(null);
    this.#out.stderr.push(null);
    this.emit("error", failure("spawn", end, this.spawnfile, this.spawnargs.slice(1)));
    this.emit("close", -2, null);
  }

  #heard(type, value) {
    if (type !== "exit") return this.#out[type].push(Buffer.from(fromWire(value)));
    unlisten(this.#handle);
    const end = JSON.parse(value);
    this.exitCode = end.code ?? null;
    this.signalCode = end.signal ?? null;
    this.emit("exit", this.exitCode, this.signalCode);
    // close comes when the output has been read, or nobody reads it.
    let open = 2;
    const ended = () => { if (--open === 0) this.emit("close", this.exitCode, this.signalCode); };
    for (const stream of [this.#out.stdout, this.#out.stderr]) {
      stream.push(null);
      if (stream.destroyed || stream.readableEnded) process.nextTick(ended);
      else {
        stream.once("close", ended);
        if (stream.readableFlowing === null && stream.listenerCount("readable") === 0) stream.resume();
      }
    }
  }

  kill(signal = "SIGTERM") {
    const done = this.#handle !== undefined && sync("child.kill", this.#handle, signalName(signal));
    if (done) this.killed = true;
    return done;
  }
  ref() {}
  unref() {}
  disconnect() {}
}

const failure = (call, end, file, args) => coded(Error, end.errno, `${call} ${file} ${end.errno}`, { errno: end.number, syscall: `${call} ${file}`, path: file, spawnargs: args });

const split = (args, options) => (Array.isArray(args) ? [args, options ?? {}] : [[], args ?? options ?? {}]);

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
    child[name]?.on("data", (chunk) => {
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
    const cmd = options.shell ? file : [file, ...args].join(" ");
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
  const what = { ...spec(file, list, { maxBuffer: 1 << 20, ...opts }) }, how = stdioOf(opts.stdio);
  if (opts.input !== undefined) what.input = toWire(typeof opts.input === "string" ? Buffer.from(opts.input) : __bdk.asBytes(opts.input));
  const end = JSON.parse(sync("child.run", JSON.stringify(what)));
  const out = (wire, i) => {
    const bytes = Buffer.from(fromWire(wire ?? ""));
    if (how[i] === "inherit") for (const line of bytes.toString().split("\n").filter(Boolean)) sync("log.line", i === 1 ? "info" : "error", line);
    if (how[i] !== "pipe") return null;
    return opts.encoding && opts.encoding !== "buffer" ? bytes.toString(opts.encoding) : bytes;
  };
  const stdout = out(end.stdout, 1), stderr = out(end.stderr, 2);
  const result = { pid: end.pid ?? 0, output: end.pid ? [null, stdout, stderr] : null, stdout: end.pid ? stdout : null, stderr: end.pid ? stderr : null, status: end.code ?? null, signal: end.signal ?? null };
  if (end.error) result.error = failure("spawnSync", end, what.file, what.args);
  return result;
}

// checked gives the output of a process that ended well, and throws otherwise.
function checked(command, r, stdio) {
  if (r.error) throw Object.assign(r.error, r);
  if (stdio === undefined && r.stderr?.length) sync("log.line", "error", r.stderr.toString().trimEnd());
  if (r.status !== 0) throw Object.assign(new Error(`Command failed: ${command}${r.stderr?.length ? "\n" + r.stderr : ""}`), r);
  return r.stdout;
}

export function execFileSync(file, args, options) {
  const [list, opts] = split(args, options);
  return checked([file, ...list].join(" "), spawnSync(file, list, opts), opts.stdio);
}

export const execSync = (command, options) => checked(command, spawnSync(command, [], { ...options, shell: options?.shell ?? true }), options?.stdio);
export const fork = () => { throw new Error("child_process.fork is not part of this runtime: spawn a program instead"); };
export { ChildProcess };
export default { spawn, exec, execFile, spawnSync, execSync, execFileSync, fork, ChildProcess };
