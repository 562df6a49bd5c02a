import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Takes something big apart into at most five tasks.",
  instructions: "Answer with the tasks alone, one a line, each a few words long. Add nothing to the list yourself.",
});
