import { defineTool } from "@cursor/bdk/tools";
import { prUrl, pullOf } from "../lib/pulls.js";

export default defineTool({
  description: "Lists the checks of a pull request and whether they are green.",
  inputSchema: {
    type: "object",
    properties: { prUrl },
    required: ["prUrl"],
    additionalProperties: false,
  },
  effect: "read",
  execute({ prUrl }) {
    const { number, checks } = pullOf(prUrl);
    const green = checks.filter((c) => c.status === "green").length;
    return { number, summary: `${green} of ${checks.length} checks green`, checks };
  },
});
