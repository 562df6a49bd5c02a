import { defineTool } from "@cursor/bdk/tools";
import { all } from "../lib/preferences.js";

export default defineTool({
  description: "Показывает всё, что известно о предпочтениях человека.",
  inputSchema: { type: "object", additionalProperties: false },
  effect: "read",
  async execute(_input, ctx) {
    const items = await all(ctx.host.kv);
    return { count: items.length, items: items.map(({ topic, detail }) => ({ topic, detail })) };
  },
});
