import { defineTool } from "@cursor/bdk/tools";
import { find } from "../lib/catalogue.js";

type Finding = { id: string; verdict: "met" | "not met"; note?: string };

export default defineTool({
  description: "Writes a finding down. A control that is not met is recorded when a person agrees.",
  inputSchema: {
    type: "object",
    properties: {
      id: { type: "string" },
      verdict: { enum: ["met", "not met"] },
      note: { type: "string", maxLength: 500 },
    },
    required: ["id", "verdict"],
    additionalProperties: false,
  },
  effect: "write",
  needsApproval: ({ verdict }: Finding) => verdict === "not met",
  dryRunResult: ({ id }: Finding) => ({ recorded: false, id }),
  async execute({ id, verdict, note }: Finding, ctx) {
    const control = find(id);
    const key = `finding:${control.id}`;
    const before = await ctx.host.kv.get(key);
    await ctx.host.kv.put(key, { verdict, note, at: ctx.now().toISOString() });
    return { content: [{ type: "text", text: `${control.id}: ${verdict}${before === undefined ? "" : " (again)"}` }] };
  },
});
