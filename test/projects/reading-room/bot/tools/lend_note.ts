import { randomUUID } from "node:crypto";
import { defineTool } from "@cursor/bdk/tools";
import { z } from "zod";
import { readOne } from "../lib/notes.js";

const loan = z.object({ id: z.string().uuid(), note: z.string(), to: z.string(), until: z.string() });

type Loan = z.infer<typeof loan>;

export default defineTool({
  description: "Lends a note to a person, or shows who has it when nobody is named.",
  inputSchema: z.object({
    note: z.string().min(1),
    to: z.string().min(1).max(80).optional().describe("Who takes it"),
    until: z.string().optional().describe("When it comes back, as an ISO instant with a zone"),
    days: z.number().positive().max(60).optional(),
  }),
  effect: (input) => (input.to ? "write" : "read"),
  needsApproval: async (input, ctx) => {
    if (!input.to) {
      return false;
    }
    return (await ctx.host.kv.get(`loan:${input.note}`)) !== undefined;
  },
  dryRunResult: (input) => ({ lent: false, note: input.note, to: input.to ?? null }),
  async execute({ note, to, until, days }, ctx) {
    readOne(note);
    const key = `loan:${note}`;
    const current = (await ctx.host.kv.get(key)) as Loan | undefined;
    if (!to) {
      return { lent: current !== undefined, loan: current ?? null };
    }
    const end = until ? new Date(until) : new Date(ctx.now().getTime() + (days ?? 14) * 86_400_000);
    const next: Loan = { id: randomUUID(), note, to, until: end.toISOString() };
    await ctx.host.kv.put(key, next);
    return { lent: true, until: next.until, before: current?.to ?? null };
  },
});
