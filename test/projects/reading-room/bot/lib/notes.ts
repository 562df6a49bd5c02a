import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path, { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "notes");

export type Note = { name: string; title: string; text: string };

export async function readAll(): Promise<Note[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((e) => e.isFile() && e.name.endsWith(".md")).map((e) => path.basename(e.name, ".md").normalize("NFC"));
  return Promise.all(names.sort().map(async (name) => noteOf(name, await readFile(join(folder, `${name}.md`), "utf8"))));
}

export function readOne(name: string): Note & { bytes: number; sha256: string } {
  const file = join(folder, `${name}.md`);
  if (!existsSync(file)) {
    throw new Error(`There is no note "${name}"`);
  }
  const content = readFileSync(file);
  return {
    ...noteOf(name, content.toString("utf8")),
    bytes: statSync(file).size,
    sha256: createHash("sha256").update(content).digest("hex"),
  };
}

function noteOf(name: string, text: string): Note {
  return { name, title: /^# (.+)$/m.exec(text)?.[1] ?? name, text };
}
