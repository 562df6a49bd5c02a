import { defineTool } from "@cursor/bdk/tools";
import { allTasks } from "../lib/tasks.js";

export default defineTool({
  description: "Remove every task. A person approves it first.",
  effect: "write",
  needsApproval: true,
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  async execute(_input, ctx) {
    const tasks = await allTasks(ctx.host.kv);
    await ctx.host.kv.delete("tasks");
    return { removed: tasks.length };
  },
});
