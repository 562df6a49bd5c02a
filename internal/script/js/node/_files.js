// What node:fs and node:fs/promises share: arguments in, results out.
import { fileURLToPath } from "./url.js";

export function pathOf(path) {
  if (path instanceof URL) return fileURLToPath(path);
  if (path instanceof Uint8Array) path = new TextDecoder().decode(path);
  if (typeof path !== "string") {
    throw Object.assign(new TypeError(`The "path" argument must be of type string or an instance of Buffer or URL. Received ${path === null ? "null" : typeof path}`), { code: "ERR_INVALID_ARG_TYPE" });
  }
  if (path.includes("\0")) throw Object.assign(new TypeError("The path must not contain null bytes"), { code: "ERR_INVALID_ARG_VALUE" });
  return path;
}

// encodingOf reads options that may be an encoding alone.
export const encodingOf = (options) => (typeof options === "string" ? options : options?.encoding ?? null);

export function content(data, options) {
  if (typeof data === "string") return __bdk.toWire(Buffer.from(data, encodingOf(options) ?? "utf8"));
  const bytes = __bdk.asBytes(data);
  if (bytes) return __bdk.toWire(bytes);
  throw Object.assign(new TypeError(`The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${data === null ? "null" : typeof data}`), { code: "ERR_INVALID_ARG_TYPE" });
}

export function fileText(wire, options) {
  const bytes = Buffer.from(__bdk.fromWire(wire)), encoding = encodingOf(options);
  return encoding && encoding !== "buffer" ? bytes.toString(encoding) : bytes;
}

export const modeOf = (mode) => (typeof mode === "string" ? parseInt(mode, 8) : mode ?? 0);

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
  constructor({ type, size, mode, mtimeMs, ino, nlink, uid, gid }) {
    super(type);
    Object.assign(this, { dev: 0, mode, nlink, uid, gid, rdev: 0, blksize: 4096, ino, size, blocks: Math.ceil(size / 512) });
    for (const name of ["atime", "mtime", "ctime", "birthtime"]) {
      this[name + "Ms"] = mtimeMs;
      this[name] = new Date(mtimeMs);
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

export const constants = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1, O_RDONLY: 0, O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024 };

// milliseconds of an instant given as Date, seconds or text.
export const instant = (t) => (t instanceof Date ? t.getTime() : typeof t === "string" ? Number(t) * 1000 || Date.parse(t) : t * 1000);

// The functions of both forms, over a way to ask: sync, or async.
export function functions(ask, then) {
  const stats = (text) => new Stats(JSON.parse(text));
  const nothing = () => undefined;
  return {
    readFile: (path, options) => then(ask("read", pathOf(path)), (t) => fileText(t, options)),
    writeFile: (path, data, options) => then(ask("write", pathOf(path), content(data, options), options?.flag ?? "w", modeOf(options?.mode)), nothing),
    appendFile: (path, data, options) => then(ask("write", pathOf(path), content(data, options), options?.flag ?? "a", modeOf(options?.mode)), nothing),
    stat: (path) => then(ask("stat", pathOf(path)), stats),
    lstat: (path) => then(ask("lstat", pathOf(path)), stats),
    access: (path, mode = 0) => then(ask("access", pathOf(path), mode), nothing),
    readdir: (path, options) => then(ask("readdir", pathOf(path), Boolean(options?.recursive)), (t) => listing(t, pathOf(path), options)),
    mkdir: (path, options) => then(ask("mkdir", pathOf(path), Boolean(options?.recursive)), (made) => made ?? undefined),
    mkdtemp: (prefix) => ask("mkdtemp", pathOf(prefix)),
    rm: (path, options) => then(ask("rm", pathOf(path), Boolean(options?.recursive), Boolean(options?.force)), nothing),
    rmdir: (path, options) => then(ask(options?.recursive ? "rm" : "rmdir", pathOf(path), true, false), nothing),
    unlink: (path) => then(ask("unlink", pathOf(path)), nothing),
    rename: (from, to) => then(ask("rename", pathOf(from), pathOf(to)), nothing),
    copyFile: (from, to) => then(ask("copyfile", pathOf(from), pathOf(to)), nothing),
    realpath: (path) => ask("realpath", pathOf(path)),
    readlink: (path) => ask("readlink", pathOf(path)),
    symlink: (target, path) => then(ask("symlink", pathOf(target), pathOf(path)), nothing),
    link: (from, to) => then(ask("link", pathOf(from), pathOf(to)), nothing),
    chmod: (path, mode) => then(ask("chmod", pathOf(path), modeOf(mode)), nothing),
    truncate: (path, size = 0) => then(ask("truncate", pathOf(path), size), nothing),
    utimes: (path, atime, mtime) => then(ask("utimes", pathOf(path), instant(atime), instant(mtime)), nothing),
  };
}
