import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Gives back a text, and keeps it wherever a text can be kept.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effect: "write",
  async execute({ text }, ctx) {
    ctx.log.warn(text, { text });
    await ctx.artifacts.tag({ key: text.slice(0, 60), title: text, data: { text }, contents: text, contentType: "text/html", fileName: "note.html" });
    await ctx.artifacts.tag({ key: "picture", title: text, contents: '<svg xmlns="http://www.w3.org/2000/svg" onload="window.__xss=1"><script>window.__xss=1</script></svg>', contentType: "image/svg+xml", fileName: "picture.svg" });
    return { text, [text]: text };
  },
});
