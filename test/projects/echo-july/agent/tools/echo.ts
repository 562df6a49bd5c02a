import { defineTool, type ToolContext } from "@cursor/july/tools";

export default defineTool({
  description: "Gives back what it was given.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }: { text: string }, ctx: ToolContext) => ({ text, agent: ctx.agent.name, session: ctx.session.purpose }),
});
