// Node's modules and globals are there, with @types/node or without.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";

export const here: string = path.join(import.meta.dirname, new URL(import.meta.url).pathname);
export const digest = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex");
export const size = (text: string): number => Buffer.byteLength(text) + Buffer.from(text).byteLength;
export const root: string = process.cwd() + (process.argv[0] ?? "") + process.platform;
