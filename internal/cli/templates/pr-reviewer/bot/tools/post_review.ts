import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Post a review. A person approves it first.",
  effect: "write",
  needsApproval: true,
  inputSchema: {
    type: "object",
    properties: {
      prUrl: { type: "string" },
      body: { type: "string", minLength: 1, description: "The review in Markdown" },
    },
    required: ["prUrl", "body"],
    additionalProperties: false,
  },
  // The review is kept in the host's store. Put the call of your code host here.
  async execute({ prUrl, body }, ctx) {
    await ctx.host.kv.put(`review:${prUrl}`, { body, at: ctx.now().toISOString() });
    return { posted: true, prUrl };
  },
});
