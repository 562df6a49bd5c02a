// node:fs/promises.
import { constants as numbers, functions } from "./_files.js";

// A path that does not fit rejects, as every other fault does.
const all = functions((name, ...args) => __bdk.async(0, "fs." + name, ...args), (p, f) => p.then(f));
for (const [name, f] of Object.entries(all)) all[name] = async (...args) => f(...args);

export const { readFile, writeFile, appendFile, stat, lstat, access, readdir, mkdir, mkdtemp, rm, rmdir, unlink, rename, copyFile, realpath, readlink, symlink, link, chmod, truncate, utimes } = all;
export const constants = numbers;

export async function cp(from, to, options) {
  const info = await stat(from);
  if (!info.isDirectory()) return copyFile(from, to);
  if (!options?.recursive) throw Object.assign(new Error(`Recursive option not enabled, cannot copy a directory: ${from}`), { code: "ERR_FS_EISDIR" });
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from)) await cp(`${from}/${entry}`, `${to}/${entry}`, options);
}

export default { ...all, cp, constants };
