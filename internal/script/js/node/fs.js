// node:fs: the sync forms, the callback forms, and promises.
import { constants as numbers, Dirent as Entry, functions, Stats as Info } from "./_files.js";
import all from "./fs_promises.js";

const now = functions((name, ...args) => __bdk.sync("fs." + name, ...args), (x, f) => f(x));

export const promises = all;
export const constants = numbers;
export const Stats = Info;
export const Dirent = Entry;

export const readFileSync = now.readFile, writeFileSync = now.writeFile, appendFileSync = now.appendFile;
export const lstatSync = now.lstat, accessSync = now.access, readdirSync = now.readdir, mkdirSync = now.mkdir;
export const mkdtempSync = now.mkdtemp, rmSync = now.rm, rmdirSync = now.rmdir, unlinkSync = now.unlink;
export const renameSync = now.rename, copyFileSync = now.copyFile, realpathSync = now.realpath, readlinkSync = now.readlink;
export const symlinkSync = now.symlink, linkSync = now.link, chmodSync = now.chmod, truncateSync = now.truncate, utimesSync = now.utimes;
realpathSync.native = realpathSync;

export function statSync(path, options) {
  try {
    return now.stat(path);
  } catch (e) {
    if (options?.throwIfNoEntry === false && e.code === "ENOENT") return undefined;
    throw e;
  }
}

export function existsSync(path) {
  try {
    now.access(path);
    return true;
  } catch {
    return false;
  }
}

export function cpSync(from, to, options) {
  if (!statSync(from).isDirectory()) return copyFileSync(from, to);
  if (!options?.recursive) throw Object.assign(new Error(`Recursive option not enabled, cannot copy a directory: ${from}`), { code: "ERR_FS_EISDIR" });
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from)) cpSync(`${from}/${entry}`, `${to}/${entry}`, options);
}

// callback turns a promise's function into the old form.
const callback = (f) => (...args) => {
  const done = args.pop();
  if (typeof done !== "function") throw Object.assign(new TypeError('The "cb" argument must be of type function'), { code: "ERR_INVALID_ARG_TYPE" });
  f(...args).then((x) => done(null, x), (e) => done(e));
};
export const readFile = callback(all.readFile), writeFile = callback(all.writeFile), appendFile = callback(all.appendFile);
export const stat = callback(all.stat), lstat = callback(all.lstat), access = callback(all.access), readdir = callback(all.readdir);
export const mkdir = callback(all.mkdir), mkdtemp = callback(all.mkdtemp), rm = callback(all.rm), rmdir = callback(all.rmdir), unlink = callback(all.unlink);
export const rename = callback(all.rename), copyFile = callback(all.copyFile), realpath = callback(all.realpath), readlink = callback(all.readlink);
export const symlink = callback(all.symlink), chmod = callback(all.chmod);
export const exists = (path, done) => all.access(path).then(() => done(true), () => done(false));

export default {
  promises, constants, Stats, Dirent, readFileSync, writeFileSync, appendFileSync, statSync, lstatSync, accessSync, existsSync, readdirSync,
  mkdirSync, mkdtempSync, rmSync, rmdirSync, unlinkSync, renameSync, copyFileSync, cpSync, realpathSync, readlinkSync, symlinkSync, linkSync,
  chmodSync, truncateSync, utimesSync, readFile, writeFile, appendFile, stat, lstat, access, readdir, mkdir, mkdtemp, rm, rmdir, unlink,
  rename, copyFile, realpath, readlink, symlink, chmod, exists,
};
