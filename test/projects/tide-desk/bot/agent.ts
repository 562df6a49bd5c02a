import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  name: "Tide desk",
  description: "Says when the water is high at four ports.",
});
