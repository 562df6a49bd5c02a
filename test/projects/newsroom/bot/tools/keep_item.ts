import { createHash } from "node:crypto";
import { defineTool } from "@cursor/bdk/tools";

type Item = { title: string; link: string; score: number };

export default defineTool({
  description: "Keeps an item that may be published.",
  inputSchema: {
    type: "object",
    properties: { title: { type: "string" }, link: { type: "string" }, score: { type: "integer", minimum: 0, maximum: 100 } },
    required: ["title", "link", "score"],
  },
  effect: "write",
  async execute({ title, link, score }: Item, ctx) {
    const key = createHash("sha256").update(link).digest("hex").slice(0, 12);
    const { id } = await ctx.artifacts.tag({
      kind: "story",
      key,
      title,
      data: { link, score },
      contents: `# ${title}\n\n${link}\n`,
      contentType: "text/markdown",
      fileName: `${title}.md`,
    });
    return { id, key };
  },
});
