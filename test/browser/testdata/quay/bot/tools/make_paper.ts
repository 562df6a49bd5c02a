import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Files a paper, whatever its type.",
  inputSchema: {
    type: "object",
    properties: {
      kind: { type: "string", enum: ["paper", "picture", "berth"] },
      key: { type: "string", minLength: 1 },
      title: { type: "string", minLength: 1 },
      contentType: { type: "string" },
      fileName: { type: "string" },
      text: { type: "string" },
      base64: { type: "string" },
      data: { type: "object" },
    },
    required: ["kind", "key", "title"],
  },
  effect: "write",
  async execute({ base64, text, ...paper }, ctx) {
    const contents = base64 === undefined ? text : Uint8Array.from(Buffer.from(base64, "base64"));
    return await ctx.artifacts.tag({ ...paper, contents });
  },
});
