import { defineTool } from "@cursor/bdk/tools";
import { all, keyOf, normalize } from "../lib/preferences.js";

const everything = "всё";

export default defineTool({
  description: `Забывает одно предпочтение, а при теме «${everything}» — все сразу (тогда спросит человека).`,
  inputSchema: {
    type: "object",
    properties: { topic: { type: "string", minLength: 1, description: `Тема или «${everything}»` } },
    required: ["topic"],
    additionalProperties: false,
  },
  effect: "write",
  needsApproval: ({ topic }) => normalize(topic) === everything,
  async execute({ topic }, ctx) {
    if (normalize(topic) !== everything) {
      const known = await ctx.host.kv.get(keyOf(topic));
      if (known === undefined) {
        throw new Error(`О теме «${normalize(topic)}» ничего не записано`);
      }
      await ctx.host.kv.delete(keyOf(topic));
      return { forgotten: [normalize(topic)] };
    }
    const items = await all(ctx.host.kv);
    for (const item of items) {
      await ctx.host.kv.delete(keyOf(item.topic));
    }
    return { forgotten: items.map((item) => item.topic) };
  },
});
