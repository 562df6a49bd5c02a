import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  name: "PR reviewer",
  description: "Reviews the pull requests of acme/lighthouse, comments on them, and merges one when a person agrees.",
  limits: { maxSteps: 20 },
});
