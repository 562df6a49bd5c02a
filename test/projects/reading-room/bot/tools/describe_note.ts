import { defineTool } from "@cursor/bdk/tools";
import { z } from "zod";
import { readOne } from "../lib/notes.js";

export default defineTool({
  description: "Gives title, size, words and fingerprint of one note.",
  inputSchema: z.object({
    name: z.string().regex(/^[\p{L}\p{M}\d_-]+$/u, "a note's name has letters, digits, - and _").describe("The note's name, without .md"),
  }),
  effect: "read",
  execute({ name }) {
    const { title, bytes, sha256, text } = readOne(name);
    return { name, title, bytes, sha256, words: text.split(/\s+/).filter(Boolean).length };
  },
});
