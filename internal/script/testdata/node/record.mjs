// Records what Node says: node record.mjs web modules
import { writeFileSync } from "node:fs";

const plain = (_, x) => (typeof x === "bigint" ? x + "n" : x === undefined ? "(undefined)" : x);
for (const name of process.argv.slice(2)) {
  const { items } = await import(`./${name}.mjs`), out = {};
  for (const [key, f] of Object.entries(items)) out[key] = JSON.parse(JSON.stringify((await f()) ?? null, plain));
  const lines = Object.entries(out).map(([key, said]) => `${JSON.stringify(key)}: ${JSON.stringify(said)}`);
  writeFileSync(`${name}.json`, `{\n${lines.join(",\n")}\n}\n`);
}
process.exit(0);
