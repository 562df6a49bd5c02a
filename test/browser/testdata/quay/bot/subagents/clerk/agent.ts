import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Puts figures in order for a bill.",
  instructions: "You put figures in order. Answer with a table.",
});
