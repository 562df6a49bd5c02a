import { defineTool } from "@cursor/bdk/tools";
import { z } from "zod";
import { readAll } from "../lib/notes.js";

export default defineTool({
  description: "Finds the notes that have every word of a query.",
  inputSchema: z.object({
    query: z.string().min(1).describe("Words to look for, in any order"),
    limit: z.number().int().min(1).max(20).default(5).describe("How many notes at most"),
    sort: z.enum(["hits", "name"]).default("hits"),
  }),
  outputSchema: z.object({
    hits: z.array(z.object({ name: z.string(), title: z.string(), score: z.number().int(), line: z.string().nullable() })),
  }),
  effect: "read",
  async execute({ query, limit, sort }) {
    const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const hits = [];
    for (const note of await readAll()) {
      const text = note.text.toLowerCase();
      const counts = words.map((w) => text.split(w).length - 1);
      if (words.length > 0 && counts.every((n) => n > 0)) {
        const line = note.text.split("\n").find((l) => l.toLowerCase().includes(words[0]) && !l.startsWith("#")) ?? null;
        hits.push({ name: note.name, title: note.title, score: counts.reduce((a, b) => a + b, 0), line });
      }
    }
    hits.sort((a, b) => (sort === "hits" && b.score - a.score) || a.name.localeCompare(b.name));
    return { hits: hits.slice(0, limit) };
  },
});
