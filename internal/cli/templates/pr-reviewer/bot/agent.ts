import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Reviews pull requests.",__MODEL__
});
