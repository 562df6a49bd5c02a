// What node:fs and node:fs/promises share: arguments in, results out.
import { coded, invalidType, outOfRange } from "./_errors.js";
import { fileURLToPath } from "./url.js";

export function pathOf(path) {
  if (path instanceof URL) return fileURLToPath(path);
  if (path instanceof Uint8Array) path = new TextDecoder().decode(path);
  if (typeof path !== "string") {
    throw invalidType("path", "of type string or an instance of Buffer or URL", path);
  }
  if (path.includes("\0")) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", "The argument 'path' must be a string, Uint8Array, or URL without null bytes");
  return path;
}

// encodingOf reads options that may be an encoding alone.
export const encodingOf = (options) => (typeof options === "string" ? options : options?.encoding ?? null);

export function content(data, options) {
  if (typeof data === "string") return __bdk.toWire(Buffer.from(data, encodingOf(options) ?? "utf8"));
  const bytes = __bdk.asBytes(data);
  if (bytes) return __bdk.toWire(bytes);
  throw invalidType("data", "of type string or an instance of Buffer, TypedArray, or DataView", data);
}

export function fileText(wire, options) {
  const bytes = Buffer.from(__bdk.fromWire(wire)), encoding = encodingOf(options);
  return encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;
}

export const modeOf = (mode) => (typeof mode === "string" ? parseInt(mode, 8) : mode ?? 0);

// flagsOf gives flags as the number of fs.constants.
const named = { r: 0, rs: 0o4010000, "r+": 2, "rs+": 0o4010002, w: 0o1101, wx: 0o1301, "w+": 0o1102, "wx+": 0o1302, a: 0o2101, ax: 0o2301, "a+": 0o2102, "ax+": 0o2302, as: 0o4012101, "as+": 0o4012102 };
export function flagsOf(flags) {
  if (typeof flags === "number") return flags;
  const known = named[flags.replace(/^(.)\+x$/, "$1x+").replace(/^x(.)/, "$1x")];
  if (known === undefined) throw coded(TypeError, "ERR_INVALID_ARG_VALUE", `The argument 'flags' is invalid. Received '${flags}'`);
  return known;
}

class Kind {
  #type;
  constructor(type) { this.#type = type; }
  isFile() { return this.#type === "file"; }
  isDirectory() { return this.#type === "directory"; }
  isSymbolicLink() { return this.#type === "symlink"; }
  isFIFO() { return this.#type === "fifo"; }
  isSocket() { return this.#type === "socket"; }
  isCharacterDevice() { return this.#type === "character"; }
  isBlockDevice() { return this.#type === "block"; }
}

export class Stats extends Kind {
  constructor({ type, name: _, atimeMs, mtimeMs, ctimeMs, ...numbers }, bigint = false) {
    super(type);
    Object.assign(this, { ...numbers, rdev: 0, blksize: 4096, atimeMs, mtimeMs, ctimeMs, birthtimeMs: ctimeMs });
    if (bigint) for (const name of Object.keys(this)) this[name] = BigInt(Math.trunc(this[name]));
    for (const [name, ms] of Object.entries({ atime: atimeMs, mtime: mtimeMs, ctime: ctimeMs, birthtime: ctimeMs })) {
      if (bigint) this[name + "Ns"] = BigInt(Math.round(ms * 1e6));
      this[name] = new Date(ms);
    }
  }
}

export class Dirent extends Kind {
  constructor(name, parent, type) {
    super(type);
    this.name = name;
    this.parentPath = this.path = parent;
  }
}

// listing gives names, or entries with their types.
export function listing(text, path, options) {
  const list = JSON.parse(text);
  if (!options?.withFileTypes) return list.map((e) => e.name);
  return list.map((e) => {
    const cut = e.name.lastIndexOf("/");
    return new Dirent(e.name.slice(cut + 1), cut < 0 ? path : `${path.replace(/\/$/, "")}/${e.name.slice(0, cut)}`, e.type);
  });
}

export const constants = {
  F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1, COPYFILE_FICLONE: 2, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_SYNC: 1052672,
  S_IFMT: 61440, S_IFREG: 32768, S_IFDIR: 16384, S_IFLNK: 40960, S_IFIFO: 4096, S_IFSOCK: 49152, S_IRUSR: 256, S_IWUSR: 128, S_IXUSR: 64,
};

// milliseconds of an instant given as Date, seconds or text.
export const instant = (t) => (t instanceof Date ? t.getTime() : typeof t === "string" ? Number(t) * 1000 || Date.parse(t) : t * 1000);

const nothing = () => undefined;
export const statsOf = (options) => (text) => new Stats(JSON.parse(text), Boolean(options?.bigint));

// A descriptor is the number of a handle of Go's, past those that every process has.
const first = 10;
export const descriptorOf = (handle) => handle + first;
export function handleOf(fd) {
  if (!Number.isInteger(fd) || fd < 0) throw typeof fd === "number" ? outOfRange("fd", ">= 0 && <= 2147483647", fd) : invalidType("fd", "of type number", fd);
  return fd - first;
}

// The functions of both forms, over a way to ask: sync, or async.
export function functions(ask, then) {
  const read = (path, options) => (typeof path === "number" ? all.readAll(path, options) : then(ask("read", pathOf(path)), (t) => fileText(t, options)));
  const write = (usual) => (path, data, options) => {
    if (typeof path === "number") return then(all.fwrite(path, content(data, options), -1), nothing);
    return then(ask("write", pathOf(path), content(data, options), flagsOf(options?.flag ?? usual), modeOf(options?.mode)), nothing);
  };
  const all = {
    readFile: read,
    writeFile: write("w"),
    appendFile: write("a"),
    stat: (path, options) => then(ask("stat", pathOf(path)), statsOf(options)),
    lstat: (path, options) => then(ask("lstat", pathOf(path)), statsOf(options)),
    access: (path, mode = 0) => then(ask("access", pathOf(path), mode), nothing),
    readdir: (path, options) => then(ask("readdir", pathOf(path), Boolean(options?.recursive)), (t) => listing(t, pathOf(path), options)),
    mkdir: (path, options) => then(ask("mkdir", pathOf(path), Boolean(options?.recursive), modeOf(typeof options === "object" ? options?.mode : options)), (made) => made ?? undefined),
    mkdtemp: (prefix) => ask("mkdtemp", pathOf(prefix)),
    rm: (path, options) => then(ask("rm", pathOf(path), Boolean(options?.recursive), Boolean(options?.force)), nothing),
    rmdir: (path, options) => then(ask(options?.recursive ? "rm" : "rmdir", pathOf(path), true, false), nothing),
    unlink: (path) => then(ask("unlink", pathOf(path)), nothing),
    rename: (from, to) => then(ask("rename", pathOf(from), pathOf(to)), nothing),
    copyFile: (from, to, flags = 0) => then(ask("copyfile", pathOf(from), pathOf(to), flags), nothing),
    realpath: (path) => ask("realpath", pathOf(path)),
    readlink: (path) => ask("readlink", pathOf(path)),
    symlink: (target, path) => then(ask("symlink", pathOf(target), pathOf(path)), nothing),
    link: (from, to) => then(ask("link", pathOf(from), pathOf(to)), nothing),
    chmod: (path, mode) => then(ask("chmod", pathOf(path), modeOf(mode)), nothing),
    truncate: (path, size = 0) => then(ask("truncate", pathOf(path), size), nothing),
    utimes: (path, atime, mtime) => then(ask("utimes", pathOf(path), instant(atime), instant(mtime)), nothing),

    // With a descriptor.
    open: (path, flags = "r", mode = 0o666) => then(ask("open", pathOf(path), flagsOf(flags ?? "r"), modeOf(mode)), descriptorOf),
    close: (fd) => then(ask("fclose", "", handleOf(fd)), nothing),
    fread: (fd, size, at) => (fd === 0 ? then(ask("read", "/dev/null"), __bdk.fromWire) : then(ask("fread", "", handleOf(fd), size, at), __bdk.fromWire)),
    fwrite: (fd, wire, at) => {
      if (fd !== 1 && fd !== 2) return ask("fwrite", "", handleOf(fd), wire, at);
      const bytes = Buffer.from(__bdk.fromWire(wire));
      __bdk.sync("log.line", fd === 1 ? "info" : "error", bytes.toString().replace(/\n$/, ""));
      return then(ask("realpath", "/"), () => bytes.length);
    },
    fstat: (fd, options) => then(ask("fstat", "", handleOf(fd)), statsOf(options)),
    ftruncate: (fd, size = 0) => then(ask("ftruncate", "", handleOf(fd), size), nothing),
    fsync: (fd) => then(ask("fsync", "", handleOf(fd)), nothing),
    readAll: (fd, options) => {
      const parts = [];
      const step = (bytes) => {
        if (bytes.length === 0) return fileText(__bdk.toWire(Buffer.concat(parts)), options);
        parts.push(bytes);
        return then(all.fread(fd, 1 << 16, -1), step);
      };
      return then(all.fread(fd, 1 << 16, -1), step);
    },
  };
  return all;
}

// room gives where in a buffer to read to or write from: (offset, length, position), or as options.
export function room(view, offset, length, position) {
  if (offset !== null && typeof offset === "object") ({ offset, length, position } = offset);
  const bytes = __bdk.asBytes(view);
  if (!bytes) throw invalidType("buffer", "an instance of Buffer, TypedArray, or DataView", view);
  offset ??= 0;
  length ??= bytes.length - offset;
  if (offset < 0 || offset > bytes.length) throw outOfRange("offset", `>= 0 && <= ${bytes.length}`, offset);
  if (length < 0 || length > bytes.length - offset) throw outOfRange("length", `>= 0 && <= ${bytes.length - offset}`, length);
  return { part: bytes.subarray(offset, offset + length), at: position === undefined || position === null ? -1 : Number(position) };
}
