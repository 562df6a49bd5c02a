import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Trims the lamp. A person is asked first.",
  inputSchema: {
    type: "object",
    properties: { lamp: { type: "string" }, by: { type: "number" }, why: { type: "string" } },
    required: ["lamp"],
    additionalProperties: false,
  },
  effect: "write",
  needsApproval: true,
  dryRunResult: ({ lamp, by }) => ({ wouldTrim: lamp, by }),
  execute: ({ lamp, by = 1 }) => ({ trimmed: lamp, by }),
});
