import { defineTool } from "@cursor/bdk/tools";
import { find } from "../lib/catalogue.js";

export default defineTool({
  description: "Shows one control with what it asks for.",
  inputSchema: {
    type: "object",
    properties: { id: { type: "string", pattern: "^[A-Za-z]{2}-\\d+$" } },
    required: ["id"],
    additionalProperties: false,
  },
  execute: ({ id }: { id: string }) => find(id),
});
