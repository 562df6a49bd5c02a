import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Gives back a text when a person agrees.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effect: "write",
  needsApproval: true,
  execute: ({ text }) => text,
});
