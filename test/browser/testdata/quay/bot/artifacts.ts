import { defineArtifacts } from "@cursor/bdk/artifacts";

export default defineArtifacts({
  kinds: {
    paper: { description: "Something to read: a report, a table, a letter." },
    picture: { description: "A drawing of a berth." },
    berth: {
      description: "A place at the quay, as a record alone.",
      schema: { type: "object", properties: { metres: { type: "number" } }, required: ["metres"] },
    },
  },
});
