import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Comes back to this conversation later.",
  effect: "write",
  inputSchema: { type: "object", properties: { about: { type: "string" } }, required: ["about"] },
  execute: ({ about }, ctx) => ctx.host.reminders.set({ in: "2h", key: about, message: `Look at the ${about} again, and say whether the watch of the night has to be called.` }),
});
