import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Lists every buoy of a coast, which takes a while to read.",
  inputSchema: { type: "object", properties: { coast: { type: "string" } }, required: ["coast"] },
  effect: "read",
  execute: ({ coast }) => ({ coast, buoys: Array.from({ length: 120 }, (_, i) => ({ number: i + 1, lit: i % 7 !== 0, where: `58°${i} N 6°${(i * 13) % 60} E` })) }),
});
