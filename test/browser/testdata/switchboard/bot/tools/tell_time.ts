import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Tells the time.",
  inputSchema: { type: "object", properties: {} },
  effect: "read",
  execute: (_input, ctx) => ctx.now().toISOString(),
});
