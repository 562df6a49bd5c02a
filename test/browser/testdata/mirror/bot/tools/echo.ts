import { defineTool } from "@cursor/bdk/tools";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.__xss=1"><script>window.__xss=1</script></svg>`;

export default defineTool({
  description: "Gives back a text, and keeps it wherever a text can be kept.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effect: "write",
  async execute({ text }, ctx) {
    ctx.log.warn(text, { text });
    const line = text.replace(/\s+/g, " ").slice(0, 150);
    await ctx.artifacts.tag({ key: line, title: line, data: { text, [text]: text }, contents: text, contentType: "text/html", fileName: line.replace(/[^ -.0-~]/g, "_") });
    await ctx.artifacts.tag({ key: "markdown", title: line, contents: text, contentType: "text/markdown", fileName: "note.md" });
    await ctx.artifacts.tag({ key: "picture", title: line, contents: svg, contentType: "image/svg+xml", fileName: "picture.svg" });
    return { text, [text]: text };
  },
});
