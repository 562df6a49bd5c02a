import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Fails with a text.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effect: "read",
  execute({ text }) {
    throw new Error(text);
  },
});
