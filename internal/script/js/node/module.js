// node:module: what a package asks of it to find its own files. Code that is not in the bundle cannot be required.
import path from "./path.js";
import fs from "./fs.js";
import url from "./url.js";

export const builtinModules = `assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel
  dns dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix path/win32 perf_hooks
  process punycode querystring readline readline/promises repl stream stream/consumers stream/promises stream/web string_decoder sys timers
  timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib`.split(/\s+/);
export const isBuiltin = (name) => builtinModules.includes(String(name).replace(/^node:/, ""));

// parts are made when they are asked for.
const parts = {
  assert: () => require("./assert.js"), "assert/strict": () => require("./assert_strict.js"), buffer: () => require("./buffer.js"),
  child_process: () => require("./child_process.js"), console: () => require("./console.js"), constants: () => require("./constants.js"),
  crypto: () => require("./crypto.js"), diagnostics_channel: () => require("./diagnostics_channel.js"), events: () => require("./events.js"),
  fs: () => require("./fs.js"), "fs/promises": () => require("./fs_promises.js"), http: () => require("./http.js"),
  https: () => require("./https.js"), net: () => require("./net.js"), os: () => require("./os.js"), path: () => require("./path.js"), "path/posix": () => require("./path_posix.js"),
  "path/win32": () => require("./path_win32.js"), perf_hooks: () => require("./perf_hooks.js"), process: () => require("./process.js"),
  querystring: () => require("./querystring.js"), readline: () => require("./readline.js"),
  "readline/promises": () => require("./readline_promises.js"), stream: () => require("./stream.js"),
  "stream/consumers": () => require("./stream_consumers.js"), "stream/promises": () => require("./stream_promises.js"),
  "stream/web": () => require("./stream_web.js"), string_decoder: () => require("./string_decoder.js"), sys: () => require("./sys.js"),
  timers: () => require("./timers.js"), "timers/promises": () => require("./timers_promises.js"), tty: () => require("./tty.js"),
  url: () => require("./url.js"), util: () => require("./util.js"), "util/types": () => require("./util_types.js"), zlib: () => require("./zlib.js"),
};

const missing = (name, why) => Object.assign(new Error(`Cannot find module '${name}'${why}`), { code: "MODULE_NOT_FOUND", requireStack: [] });
const file = (p) => fs.statSync(p, { throwIfNoEntry: false })?.isFile() && p;
const read = (p) => JSON.parse(fs.readFileSync(p, "utf8"));

const whole = (p) => file(p) || [".js", ".json"].map((end) => file(p + end)).find(Boolean) || ["index.js", "index.json"].map((f) => file(path.join(p, f))).find(Boolean);

// entry is what a package's exports, or main, say of a part of it.
function entry(dir, part, name) {
  const at = path.join(dir, "package.json"), { exports: own, main } = file(at) ? read(at) : {};
  if (own === undefined || own === null) return whole(path.join(dir, part === "." ? (main ?? "index.js") : part)) || (part === "." && whole(dir));
  const parted = typeof own === "object" && Object.keys(own).some((k) => k.startsWith("."));
  const target = choose(parted ? own[part] : part === "." ? own : undefined);
  if (!target) throw Object.assign(missing(name, `: its package exports no "${part}"`), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
  return file(path.join(dir, target));
}

// choose takes the first target whose conditions hold for a require.
function choose(t) {
  if (typeof t !== "object" || t === null) return t;
  if (Array.isArray(t)) return t.map(choose).find(Boolean);
  return Object.entries(t).filter(([condition]) => ["node", "require", "default"].includes(condition)).map(([, to]) => choose(to)).find(Boolean);
}

// find is the file that a name means to the modules of a folder.
function find(folder, name) {
  if (name.startsWith("node:") ? isBuiltin(name) : builtinModules.includes(name)) return name;
  if (/^(?:\.{0,2}\/|\.{1,2}$)/.test(name)) return whole(path.resolve(folder, name));
  const [, pkg, part] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(name) ?? [];
  for (let dir = folder; pkg; dir = path.dirname(dir)) {
    const at = path.join(dir, "node_modules", pkg), found = fs.existsSync(at) && entry(at, part ? "." + part : ".", name);
    if (found || dir === path.dirname(dir)) return found;
  }
}

export function createRequire(where) {
  const at = String(where).startsWith("file:") ? url.fileURLToPath(where) : String(where), folder = at.endsWith("/") ? at : path.dirname(at);
  const resolve = (name) => {
    const found = find(folder, String(name));
    if (!found) throw missing(name, "");
    return found.startsWith("/") ? fs.realpathSync(found) : found;
  };
  const require = (name) => {
    const part = parts[String(name).replace(/^node:/, "")], found = part ?? resolve(name);
    if (part) return part().default;
    if (found.endsWith(".json")) return read(found);
    throw missing(name, ": what runs here was bundled, so import code; what createRequire makes gives JSON and modules of Node");
  };
  return Object.assign(require, { resolve, cache: {} });
}

export default { builtinModules, isBuiltin, createRequire };
