import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Takes alerts and keeps the list of incidents.",__MODEL__
});
