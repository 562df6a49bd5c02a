import { defineTool } from "@cursor/bdk/tools";
import { controls } from "../lib/catalogue.js";

export default defineTool({
  description: "Lists the controls, all or of one family.",
  inputSchema: {
    type: "object",
    properties: { family: { type: "string", enum: ["access", "logging", "backup"], description: "one family alone" } },
    additionalProperties: false,
  },
  execute({ family }: { family?: string }) {
    const chosen = controls.filter((c) => family === undefined || c.family === family);
    return { count: chosen.length, controls: chosen.map(({ id, title }) => ({ id, title })) };
  },
});
