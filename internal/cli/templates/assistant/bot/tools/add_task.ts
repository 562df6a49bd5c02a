import { defineTool } from "@cursor/bdk/tools";
import type { Task } from "../lib/tasks.js";

export default defineTool({
  description: "Add one task to the list.",
  effect: "write",
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string", minLength: 1, maxLength: 200, description: "What there is to do" },
    },
    required: ["title"],
    additionalProperties: false,
  },
  dryRunResult: ({ title }) => ({ title, added: false }),
  async execute({ title }, ctx) {
    const tasks = await ctx.host.kv.update<Task[]>("tasks", (before) => [
      ...(before ?? []),
      { title, addedAt: ctx.now().toISOString() },
    ]);
    return { title, added: true, count: tasks.length };
  },
});
