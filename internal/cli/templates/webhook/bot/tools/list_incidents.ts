import { defineTool } from "@cursor/bdk/tools";
import { all } from "../lib/incidents.js";

export default defineTool({
  description: "List the services with an alert, and the newest state of each.",
  effect: "read",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  async execute(_input, ctx) {
    const incidents = await all(ctx.host.kv);
    const lines = incidents.map((incident) => `${incident.service} is ${incident.status}`);
    return { count: incidents.length, summary: lines.join(", ") || "nothing happened", incidents };
  },
});
