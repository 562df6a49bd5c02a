import { defineTool } from "@cursor/bdk/tools";
import { commentsKey, prUrl, pullOf } from "../lib/pulls.js";

type Comment = { id: string; body: string; at: string };

export default defineTool({
  description: "Leaves a comment on a pull request.",
  inputSchema: {
    type: "object",
    properties: {
      prUrl,
      body: { type: "string", minLength: 1, maxLength: 2000, description: "The comment, in Markdown" },
    },
    required: ["prUrl", "body"],
    additionalProperties: false,
  },
  effect: "write",
  dryRunResult: ({ prUrl }) => ({ wouldCommentOn: pullOf(prUrl).number }),
  async execute({ prUrl, body }, ctx) {
    const pull = pullOf(prUrl);
    const key = commentsKey(pull);
    const comments = ((await ctx.host.kv.get(key)) ?? []) as Comment[];
    comments.push({ id: `${pull.number}-${comments.length + 1}`, body, at: ctx.now().toISOString() });
    await ctx.host.kv.put(key, comments);
    return { number: pull.number, comments: comments.length };
  },
});
