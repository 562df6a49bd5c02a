// node:path. The default is that of the systems that bdk serves on.
import { makeWin32 } from "./_win32.js";

import { invalidType } from "./_errors.js";

const text = (s, name = "path") => {
  if (typeof s !== "string") throw invalidType(name, "of type string", s);
  return s;
};

// parts takes dots out; above says whether leading ".." stay.
function parts(path, above) {
  const out = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.length && out[out.length - 1] !== "..") out.pop();
    else if (above) out.push("..");
  }
  return out.join("/");
}

export const sep = "/";
export const delimiter = ":";

export function normalize(path) {
  if (text(path) === "") return ".";
  const absolute = path.startsWith("/"), slash = path.endsWith("/");
  let out = parts(path, !absolute);
  if (out === "" && !absolute) out = ".";
  if (out !== "" && slash) out += "/";
  return absolute ? "/" + out : out;
}

export function join(...all) {
  const path = all.map((p) => text(p)).filter(Boolean).join("/");
  return path === "" ? "." : normalize(path);
}

export function resolve(...all) {
  let path = "";
  for (const p of [process.cwd(), ...all.map((p) => text(p))]) {
    if (p === "") continue;
    path = p.startsWith("/") ? p : path + "/" + p;
  }
  return "/" + parts(path, false);
}

export const isAbsolute = (path) => text(path).startsWith("/");

export function dirname(path) {
  const trimmed = text(path).replace(/(?!^)\/+$/, "");
  const i = trimmed.lastIndexOf("/");
  if (i < 0) return ".";
  return i === 0 ? "/" : trimmed.slice(0, i).replace(/(?!^)\/+$/, "");
}

export function basename(path, suffix) {
  const trimmed = text(path).replace(/\/+$/, "");
  const base = trimmed.slice(trimmed.lastIndexOf("/") + 1);
  if (suffix === path) return "";
  return suffix && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base;
}

export function extname(path) {
  const base = basename(path), i = base.lastIndexOf(".");
  return i <= 0 || base === ".." ? "" : base.slice(i);
}

export function relative(from, to) {
  const a = resolve(text(from, "from")).split("/").filter(Boolean), b = resolve(text(to, "to")).split("/").filter(Boolean);
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("/");
}

export function parse(path) {
  const root = isAbsolute(path) ? "/" : "", base = basename(path), ext = extname(base);
  const dir = path === base ? "" : dirname(path);
  return { root, dir: dir === "." && !path.startsWith(".") ? "" : dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
}

export function format({ root = "", dir, base, name = "", ext = "" }) {
  base ??= name + (ext && !ext.startsWith(".") ? "." + ext : ext);
  return dir ? (dir === root ? dir + base : dir + "/" + base) : root + base;
}

export const toNamespacedPath = (path) => path;

// matchesGlob knows *, **, ?, [a-z] and {a,b}.
export function matchesGlob(path, pattern) {
  const parts = pattern.replace(/\*\*\/|\*\*|\*|\?|\[[^\]]+\]|\{[^}]+\}|[.+^$|()\\]/g, (m) => {
    if (m === "**/") return "(?:.*/)?";
    if (m === "**") return ".*";
    if (m === "*") return "[^/]*";
    if (m === "?") return "[^/]";
    if (m[0] === "[") return m.replace(/^\[!/, "[^");
    if (m[0] === "{") return `(?:${m.slice(1, -1).split(",").map((p) => p.replace(/[.*+?^$|()\\]/g, "\\$&")).join("|")})`;
    return "\\" + m;
  });
  return new RegExp(`^${parts}$`).test(path);
}

const all = { sep, delimiter, normalize, join, resolve, isAbsolute, dirname, basename, extname, relative, parse, format, toNamespacedPath, matchesGlob };
export const posix = all;
export const win32 = makeWin32();
all.posix = win32.posix = all;
all.win32 = win32.win32 = win32;
export default all;
