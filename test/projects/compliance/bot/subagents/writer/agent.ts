import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Writes a finding down.",
  instructions: "Record the finding that you are given, as it is, and answer with the record.",
});
