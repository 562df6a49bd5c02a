import { createHash } from "node:crypto";
import { defineTool } from "@cursor/bdk/tools";
import extension from "../extension.js";

export default defineTool({
  description: "Rings the bell.",
  inputSchema: { type: "object", properties: { strokes: { type: "integer", minimum: 1 } }, required: ["strokes"] },
  effect: "write",
  execute({ strokes }) {
    const { code, most = 8 } = extension.config;
    if (strokes > most) throw new Error(`The bell takes ${most} strokes at most.`);
    return { rang: strokes, seal: createHash("sha256").update(`${code}:${strokes}`).digest("hex").slice(0, 8) };
  },
});
