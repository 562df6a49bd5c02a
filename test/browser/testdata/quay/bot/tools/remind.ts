import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Comes back to the conversation when the tide has turned.",
  inputSchema: { type: "object", properties: { about: { type: "string" }, hours: { type: "integer", minimum: 1 } }, required: ["about", "hours"] },
  execute: ({ about, hours }, ctx) => ctx.host.reminders.set({ in: `${hours}h`, key: about, message: `Ask about ${about}.` }),
});
