import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Looks at soundings and says how deep a berth is.",
  instructions: "You survey one berth. Answer with its depth in metres.",
});
