import { defineArtifacts } from "@cursor/bdk/artifacts";
import { z } from "zod";

export default defineArtifacts({
  kinds: {
    "run-log": { description: "A log.", schema: z.object({ code: z.number().int().nullable() }) },
    plain: { description: "Plain.", schema: { type: "object" } },
  },
  agentTool: true,
  max: 10,
});
