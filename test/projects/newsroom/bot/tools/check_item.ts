import { defineTool } from "@cursor/bdk/tools";
import { hostOf, plain, shortened, trusted } from "../lib/sources.js";

type Item = { title: string; link: string };

export default defineTool({
  description: "Scores an item of news by its source and its headline.",
  inputSchema: {
    type: "object",
    properties: { title: { type: "string", minLength: 1 }, link: { type: "string", format: "uri" } },
    required: ["title", "link"],
    additionalProperties: false,
  },
  execute({ title, link }: Item) {
    const host = hostOf(link);
    const reasons: string[] = [];
    let score = 50;
    if (trusted.has(host)) {
      score += 40;
      reasons.push("trusted source");
    }
    if (shortened.test(host)) {
      score = 0;
      reasons.push(`hidden source: ${host}`);
    }
    if (/^(video|urgente)\b/.test(plain(title))) {
      score = Math.max(0, score - 30);
      reasons.push("loud headline");
    }
    return { score, publishable: score >= 70, reasons };
  },
});
