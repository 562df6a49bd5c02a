import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Puts a call through when a person agrees.",
  inputSchema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
  effect: "write",
  needsApproval: true,
  execute: ({ to }, ctx) => ctx.host.kv.update<number>(`calls:${to}`, (n = 0) => n + 1),
});
