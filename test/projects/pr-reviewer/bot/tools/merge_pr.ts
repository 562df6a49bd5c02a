import { defineTool } from "@cursor/bdk/tools";
import { mergedKey, obstacle, prUrl, pullOf } from "../lib/pulls.js";

export default defineTool({
  title: "Merge a pull request",
  description: "Merges a pull request. A person is asked first.",
  inputSchema: {
    type: "object",
    properties: {
      prUrl,
      method: { type: "string", enum: ["merge", "squash", "rebase"], description: "How to merge; squash when left out" },
    },
    required: ["prUrl"],
    additionalProperties: false,
  },
  effect: "write",
  idempotent: true,
  needsApproval: true,
  dryRunResult: ({ prUrl }) => ({ number: pullOf(prUrl).number, merged: false, wouldMerge: true }),
  async execute({ prUrl, method = "squash" }, ctx) {
    const pull = pullOf(prUrl);
    const reason = obstacle(pull);
    if (reason) {
      throw new Error(`Pull request ${pull.number} cannot be merged: ${reason}`);
    }
    if (await ctx.host.kv.get(mergedKey(pull))) {
      return { number: pull.number, merged: true, already: true };
    }
    await ctx.host.kv.put(mergedKey(pull), { method, at: ctx.now().toISOString() });
    return { number: pull.number, merged: true, method };
  },
});
