import { defineArtifacts } from "@cursor/bdk/artifacts";

export default defineArtifacts({
  kinds: {
    story: {
      description: "An item that may be published",
      schema: {
        type: "object",
        properties: { link: { type: "string" }, score: { type: "integer" } },
        required: ["link", "score"],
      },
    },
  },
  agentTool: true,
});
