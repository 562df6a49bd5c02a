import { createHash } from "node:crypto";
import path from "node:path";
import { defineTool } from "@cursor/bdk/tools";
import { z } from "zod";

export default defineTool({
  description: "Cleans a link for a citation: no tracking, no fragment, a short key.",
  inputSchema: z.object({
    url: z.string().url(),
    keep: z.array(z.string()).max(10).optional().describe("Query parameters to keep"),
  }),
  effect: "read",
  execute({ url, keep = [] }) {
    const link = new URL(url);
    link.hash = "";
    for (const name of [...link.searchParams.keys()]) {
      if (!keep.includes(name)) {
        link.searchParams.delete(name);
      }
    }
    const key = createHash("sha256").update(link.href).digest("hex").slice(0, 8);
    return {
      content: [{ type: "text", text: `[${key}] ${link.hostname}: ${path.posix.basename(link.pathname) || "/"}` }],
      structuredContent: { key, url: link.href },
    };
  },
});
