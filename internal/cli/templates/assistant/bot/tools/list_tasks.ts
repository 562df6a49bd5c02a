import { defineTool } from "@cursor/bdk/tools";
import { allTasks } from "../lib/tasks.js";

export default defineTool({
  description: "List the tasks, the oldest first.",
  effect: "read",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  async execute(_input, ctx) {
    const tasks = await allTasks(ctx.host.kv);
    return { count: tasks.length, titles: tasks.map((task) => task.title).join(", ") || "none" };
  },
});
