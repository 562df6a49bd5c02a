// node:fs/promises.
import { constants as numbers, functions } from "./_files.js";
import { FileHandle } from "./_filehandle.js";
import { Dir } from "./_dir.js";
import { coded } from "./_errors.js";

// A path that does not fit rejects, as every other fault does.
const ask = functions((name, ...args) => __bdk.async(0, "fs." + name, ...args), (p, f) => Promise.resolve(p).then(f));
const names = ["stat", "lstat", "access", "readdir", "mkdir", "mkdtemp", "rm", "rmdir", "unlink", "rename", "copyFile", "realpath", "readlink", "symlink", "link", "chmod", "truncate", "utimes"];
const all = Object.fromEntries(names.map((name) => [name, async (...args) => await ask[name](...args)]));

export const { stat, lstat, access, readdir, mkdir, mkdtemp, rm, rmdir, unlink, rename, copyFile, realpath, readlink, symlink, link, chmod, truncate, utimes } = all;
export const constants = numbers;

export const open = async (path, flags, mode) => new FileHandle(await ask.open(path, flags, mode));
export const opendir = async (path) => new Dir(String(path), await readdir(path, { withFileTypes: true }));

const aborted = (options) => options?.signal?.throwIfAborted();
export async function readFile(path, options) {
  aborted(options);
  return path instanceof FileHandle ? await path.readFile(options) : await ask.readFile(path, options);
}
const writer = (name) => async (path, data, options) => {
  aborted(options);
  if (path instanceof FileHandle) return await path.writeFile(data, options);
  if (typeof data === "string" || __bdk.asBytes(data) || typeof data?.[Symbol.asyncIterator] !== "function" && typeof data?.[Symbol.iterator] !== "function") return await ask[name](path, data, options);
  const h = await open(path, options?.flag ?? (name === "writeFile" ? "w" : "a"), options?.mode);
  try {
    await h.writeFile(data, options);
  } finally {
    await h.close();
  }
};
export const writeFile = writer("writeFile"), appendFile = writer("appendFile");

export async function cp(from, to, options) {
  const info = await stat(from);
  if (options?.filter && !(await options.filter(from, to))) return;
  if (!info.isDirectory()) return await copyFile(from, to, options?.force === false ? constants.COPYFILE_EXCL : 0);
  if (!options?.recursive) throw coded(Error, "ERR_FS_EISDIR", `Recursive option not enabled, cannot copy a directory: ${from}`);
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from)) await cp(`${from}/${entry}`, `${to}/${entry}`, options);
}

export default { ...all, open, opendir, readFile, writeFile, appendFile, cp, constants };
