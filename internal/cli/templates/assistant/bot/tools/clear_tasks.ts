import { defineTool } from "@cursor/bdk/tools";

export default defineTool<Record<string, never>>({
  description: "Remove every task. A person approves it first.",
  effect: "write",
  needsApproval: true,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  async execute(_input, ctx) {
    const tasks = (await ctx.host.kv.get("tasks")) ?? [];
    await ctx.host.kv.delete("tasks");
    return { removed: tasks.length };
  },
});
