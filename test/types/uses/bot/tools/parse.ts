import { defineTool } from "@cursor/bdk/tools";
import { z } from "zod";
import { same } from "../lib/same.js";

export default defineTool({
  description: "Zod: parsed input, also before inputSchema.",
  effect: (input) => {
    same<typeof input, { url: string; limit: number; tags?: string[] | undefined }>();
    return input.limit > 3 ? "write" : "read";
  },
  needsApproval: async (input, ctx) => input.limit > 5 && ctx.session.purpose !== "eval",
  dryRunResult: ({ url }) => ({ url, saved: false }),
  outputSchema: z.object({ saved: z.boolean() }),
  inputSchema: z.object({ url: z.string().url(), limit: z.number().default(5), tags: z.array(z.string()).optional() }),
  async execute({ url, limit }, ctx) {
    same<typeof limit, number>();
    // @ts-expect-error a URL is a string
    url.toFixed();
    const found = await fetch(url, { signal: ctx.signal });
    return { saved: found.ok };
  },
});
