import { defineTool } from "@cursor/bdk/tools";

export default defineTool<Record<string, never>>({
  description: "List the tasks, the oldest first.",
  effect: "read",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  async execute(_input, ctx) {
    const tasks = (await ctx.host.kv.get("tasks")) ?? [];
    return { count: tasks.length, titles: tasks.map((task: { title: string }) => task.title).join(", ") || "none" };
  },
});
