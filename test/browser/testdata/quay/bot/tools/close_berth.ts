import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Closes a berth. A person must agree first.",
  inputSchema: { type: "object", properties: { berth: { type: "string" } }, required: ["berth"] },
  effect: "write",
  needsApproval: true,
  execute: ({ berth }) => ({ closed: berth }),
});
