import { defineTool } from "@cursor/bdk/tools";
import { mergedKey, obstacle, prUrl, pullOf } from "../lib/pulls.js";

export default defineTool({
  description: "Shows a pull request: what it changes, how large it is, and whether something keeps it from being merged.",
  inputSchema: {
    type: "object",
    properties: { prUrl },
    required: ["prUrl"],
    additionalProperties: false,
  },
  effect: "read",
  async execute({ prUrl }, ctx) {
    const pull = pullOf(prUrl);
    const changed = pull.files.reduce((sum, f) => sum + f.added + f.removed, 0);
    const merged = await ctx.host.kv.get(mergedKey(pull));
    return {
      number: pull.number,
      title: pull.title,
      author: pull.author,
      state: merged ? "merged" : pull.draft ? "draft" : "open",
      files: pull.files.map((f) => f.path),
      changed,
      complexity: changed > 400 ? "high" : changed > 100 ? "medium" : "low",
      obstacle: obstacle(pull) ?? "none",
    };
  },
});
