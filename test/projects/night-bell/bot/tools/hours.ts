import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Says when the night watch is.",
  inputSchema: { type: "object" },
  execute: () => ({ from: "22:00", to: "06:00" }),
});
