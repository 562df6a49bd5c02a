// node:fs: the sync forms, the callback forms, streams, and promises.
import { constants as numbers, content, Dirent as Entry, functions, room, Stats as Info } from "./_files.js";
import { ReadStream, WriteStream } from "./_filestreams.js";
import { Dir } from "./_dir.js";
import { coded, needsFunction } from "./_errors.js";
import all from "./fs_promises.js";

const now = functions((name, ...args) => __bdk.sync("fs." + name, ...args), (x, f) => f(x));
const later = functions((name, ...args) => __bdk.async(0, "fs." + name, ...args), (p, f) => Promise.resolve(p).then(f));

export const promises = all;
export const constants = numbers;
export const Stats = Info;
export const Dirent = Entry;
export { Dir, ReadStream, WriteStream };
export const { F_OK, R_OK, W_OK, X_OK } = numbers;

export const readFileSync = now.readFile, writeFileSync = now.writeFile, appendFileSync = now.appendFile;
export const accessSync = now.access, readdirSync = now.readdir, mkdirSync = now.mkdir;
export const mkdtempSync = now.mkdtemp, rmSync = now.rm, rmdirSync = now.rmdir, unlinkSync = now.unlink;
export const renameSync = now.rename, copyFileSync = now.copyFile, realpathSync = now.realpath, readlinkSync = now.readlink;
export const symlinkSync = now.symlink, linkSync = now.link, chmodSync = now.chmod, truncateSync = now.truncate, utimesSync = now.utimes;
export const openSync = now.open, closeSync = now.close, fstatSync = now.fstat, ftruncateSync = now.ftruncate, fsyncSync = now.fsync;
realpathSync.native = realpathSync;

// orNothing gives undefined for what is not there, where that is asked for.
const orNothing = (f) => (path, options) => {
  try {
    return f(path, options);
  } catch (e) {
    if (options?.throwIfNoEntry === false && e.code === "ENOENT") return undefined;
    throw e;
  }
};
export const statSync = orNothing(now.stat), lstatSync = orNothing(now.lstat);

export function existsSync(path) {
  try {
    now.access(path);
    return true;
  } catch {
    return false;
  }
}

export function readSync(fd, buffer, ...where) {
  const { part, at } = room(buffer, ...where), bytes = now.fread(fd, part.length, at);
  part.set(bytes);
  return bytes.length;
}

export function writeSync(fd, data, ...where) {
  if (typeof data === "string") return now.fwrite(fd, content(data, where[1]), where[0] ?? -1);
  const { part, at } = room(data, ...where);
  return now.fwrite(fd, content(part), at);
}

export function cpSync(from, to, options) {
  if (options?.filter && !options.filter(from, to)) return;
  if (!statSync(from).isDirectory()) return copyFileSync(from, to, options?.force === false ? constants.COPYFILE_EXCL : 0);
  if (!options?.recursive) throw coded(Error, "ERR_FS_EISDIR", `Recursive option not enabled, cannot copy a directory: ${from}`);
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) cpSync(`${from}/${entry}`, `${to}/${entry}`, options);
}

export const opendirSync = (path) => new Dir(String(path), readdirSync(path, { withFileTypes: true }));
export const createReadStream = (path, options) => new ReadStream(path, options);
export const createWriteStream = (path, options) => new WriteStream(path, options);

// callback turns a promise's function into the old form. What the arguments lack is thrown.
const callback = (f) => (...args) => {
  const done = needsFunction(args.pop(), "cb");
  f(...args).then((x) => process.nextTick(done, null, x), (e) => process.nextTick(done, e));
};
const { readFile: readAll, writeFile: writeAll, appendFile: appendAll } = all;
export const readFile = callback(readAll), writeFile = callback(writeAll), appendFile = callback(appendAll);
export const stat = callback(all.stat), lstat = callback(all.lstat), access = callback(all.access), readdir = callback(all.readdir);
export const mkdir = callback(all.mkdir), mkdtemp = callback(all.mkdtemp), rm = callback(all.rm), rmdir = callback(all.rmdir), unlink = callback(all.unlink);
export const rename = callback(all.rename), copyFile = callback(all.copyFile), realpath = callback(all.realpath), readlink = callback(all.readlink);
export const symlink = callback(all.symlink), link = callback(all.link), chmod = callback(all.chmod), truncate = callback(all.truncate), utimes = callback(all.utimes);
export const cp = callback(all.cp), opendir = callback(all.opendir);
export const open = callback(async (...args) => await later.open(...args)), close = callback(async (fd) => await later.close(fd)), fstat = callback(async (...args) => await later.fstat(...args));
export const fsync = callback(async (fd) => await later.fsync(fd)), ftruncate = callback(async (...args) => await later.ftruncate(...args));
export const exists = (path, done) => all.access(path).then(() => done(true), () => done(false));

export function read(fd, buffer, ...rest) {
  const done = needsFunction(rest.pop(), "cb"), { part, at } = room(buffer, ...rest);
  later.fread(fd, part.length, at).then((bytes) => {
    part.set(bytes);
    done(null, bytes.length, buffer);
  }, done);
}

export function write(fd, data, ...rest) {
  const done = needsFunction(rest.pop(), "cb");
  const { part, at } = typeof data === "string" ? { part: Buffer.from(data, rest[1]), at: rest[0] ?? -1 } : room(data, ...rest);
  Promise.resolve(later.fwrite(fd, content(part), at)).then((n) => done(null, n, data), done);
}

// Nothing is watched: a package that only names these loads.
const unwatched = (name) => () => { throw new Error(`node:fs ${name} is not part of this runtime: read the file again where it may have changed`); };
export const watch = unwatched("watch"), watchFile = unwatched("watchFile"), unwatchFile = () => {};

export default {
  promises, constants, Stats, Dirent, Dir, ReadStream, WriteStream, F_OK, R_OK, W_OK, X_OK, readFileSync, writeFileSync, appendFileSync, statSync, lstatSync,
  accessSync, existsSync, readdirSync, mkdirSync, mkdtempSync, rmSync, rmdirSync, unlinkSync, renameSync, copyFileSync, cpSync, realpathSync, readlinkSync,
  symlinkSync, linkSync, chmodSync, truncateSync, utimesSync, openSync, closeSync, readSync, writeSync, fstatSync, ftruncateSync, fsyncSync, opendirSync,
  createReadStream, createWriteStream, readFile, writeFile, appendFile, stat, lstat, access, readdir, mkdir, mkdtemp, rm, rmdir, unlink, rename, copyFile,
  realpath, readlink, symlink, link, chmod, truncate, utimes, cp, opendir, open, close, read, write, fstat, fsync, ftruncate, exists,
  watch, watchFile, unwatchFile,
};
