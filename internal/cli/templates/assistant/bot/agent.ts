import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Keeps a list of tasks.",__MODEL__
});
