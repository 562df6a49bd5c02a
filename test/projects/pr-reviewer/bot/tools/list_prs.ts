import { defineTool } from "@cursor/bdk/tools";
import { all, mergedKey, urlOf } from "../lib/pulls.js";

export default defineTool({
  description: "Lists the open pull requests.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  effect: "read",
  async execute(_input, ctx) {
    const open = [];
    for (const pull of all) {
      if ((await ctx.host.kv.get(mergedKey(pull))) === undefined) {
        open.push({ number: pull.number, title: pull.title, author: pull.author, draft: pull.draft, url: urlOf(pull) });
      }
    }
    return { count: open.length, pulls: open };
  },
});
