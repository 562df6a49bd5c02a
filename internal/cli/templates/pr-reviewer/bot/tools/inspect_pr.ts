import { defineTool } from "@cursor/bdk/tools";
import { fetchPull } from "../lib/pulls.js";

export default defineTool({
  description: "Fetch a pull request and say how big and how risky the change is.",
  effect: "read",
  inputSchema: {
    type: "object",
    properties: {
      prUrl: { type: "string", description: "Such as https://github.com/acme/checkout/pull/42" },
    },
    required: ["prUrl"],
    additionalProperties: false,
  },
  async execute({ prUrl }, ctx) {
    const pull = await fetchPull(prUrl, ctx.signal);
    const lines = pull.additions + pull.deletions;
    const complexity = lines > 400 || pull.files > 20 ? "high" : lines > 80 ? "medium" : "low";
    const verdict = pull.draft ? "wait, it is a draft" : complexity === "high" ? "needs a closer look" : "looks fine";
    return { ...pull, complexity, verdict };
  },
});
