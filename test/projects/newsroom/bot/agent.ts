import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  name: "Redação",
  description: "Judges items of news and keeps what may be published.",
  limits: { maxSteps: 20 },
});
