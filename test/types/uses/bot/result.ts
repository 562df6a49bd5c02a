import { defineResult } from "@cursor/bdk";
import { z } from "zod";

export const bySchema = defineResult({ schema: z.object({ verdict: z.enum(["yes", "no"]) }), maxRepairs: 1 });
export const plain = defineResult({ schema: { type: "object", properties: {} } });

// @ts-expect-error a verdict is one of three
defineResult({ resolve: () => ({ ok: true }) });

export default defineResult({
  async resolve({ text, turn }, ctx) {
    if (turn.repairs > 1) return { fail: "it will not do" };
    if (text.length > 10) return { retry: `shorter, please, ${ctx.session.id}` };
    return { result: { text, asked: turn.message } };
  },
});
