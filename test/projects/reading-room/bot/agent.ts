import { defineAgent, prompt } from "@cursor/bdk";

export default defineAgent({
  name: "Reading room",
  description: prompt`
    Finds notes, quotes them,
    and lends them to people.
  `,
  limits: { maxSteps: 30 },
  concurrency: { maxRunningTurns: 4 },
});
