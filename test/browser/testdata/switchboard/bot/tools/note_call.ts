import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Notes a call with its time.",
  inputSchema: { type: "object", properties: {} },
  effect: "write",
  execute: (_input, ctx) => ctx.host.kv.update<number>("noted", (n = 0) => n + 1),
});
