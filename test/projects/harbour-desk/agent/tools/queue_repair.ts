import { defineTool } from "@cursor/july/tools";
import { queue } from "../lib/repairs.js";

export default defineTool({
  description: "Queues a repair until a warden approves it.",
  inputSchema: {
    type: "object",
    properties: { ticketId: { type: "string", minLength: 1 }, place: { type: "string", minLength: 1 } },
    required: ["ticketId", "place"],
  },
  effect: "write",
  async execute({ ticketId, place }, ctx) {
    const { id, status } = await queue(ctx.host.kv, ticketId, place);
    return { repairId: id, status };
  },
});
