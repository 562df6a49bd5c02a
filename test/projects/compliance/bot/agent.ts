import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  name: "Compliance",
  description: "Checks a service against a catalogue of controls and writes the finding down.",
  tools: ["read", "ls"],
  limits: { maxSteps: 40 },
});
