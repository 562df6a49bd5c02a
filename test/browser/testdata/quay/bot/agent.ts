import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  name: "Quay desk",
  description: "Keeps the papers of a small harbour: soundings, berths and bills, and reminds people of the tide.",
  limits: { maxSteps: 20 },
});
