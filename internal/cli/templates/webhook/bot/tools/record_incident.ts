import { defineTool } from "@cursor/bdk/tools";
import { keep } from "../lib/incidents.js";

export default defineTool({
  description: "Record that a service is down or up.",
  effect: "write",
  inputSchema: {
    type: "object",
    properties: {
      service: { type: "string", minLength: 1, maxLength: 100 },
      status: { enum: ["down", "up"] },
      text: { type: "string", description: "What the alert says, in its own words" },
    },
    required: ["service", "status"],
    additionalProperties: false,
  },
  dryRunResult: ({ service, status }) => ({ service, status, changed: false }),
  async execute({ service, status, text }, ctx) {
    const before = await keep(ctx.host.kv, { service, status, text: text ?? "", at: ctx.now().toISOString() });
    return { service, status, changed: before?.status !== status };
  },
});
