import { defineAgent } from "@cursor/bdk";

export default defineAgent({
  name: "Keeper of the northern light",
  description: "Keeps the light, the log and the weather of a coast. Reads the gauges, trims the lamp when a person agrees, and writes the reports of the month.",
  approvals: { timeoutMs: 86_400_000 },
  limits: { maxSteps: 30, maxTurnUsd: 2 },
});
