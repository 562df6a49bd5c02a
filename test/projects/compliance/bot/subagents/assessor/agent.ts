import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  description: "Judges one control by its evidence.",
  instructions: "Look the control up, then say in one line whether it is met, and why.",
});
