import { defineTool } from "@cursor/bdk/tools";
import { z } from "zod";

const month = 29.530588853;
const newMoon = Date.UTC(2000, 0, 6, 18, 14);
const names = ["new", "waxing crescent", "first quarter", "waxing gibbous", "full", "waning gibbous", "last quarter", "waning crescent"];

export default defineTool({
  description: "Says which phase the moon has at an instant.",
  inputSchema: z.object({ at: z.iso.datetime({ offset: true }).describe("An instant with its zone") }),
  outputSchema: z.object({ age: z.number().min(0).max(30), phase: z.string() }),
  effect: "read",
  timeArguments: ["at"],
  execute({ at }) {
    const days = (Date.parse(at) - newMoon) / 86_400_000;
    const age = ((days % month) + month) % month;
    return { age: Math.round(age * 10) / 10, phase: names[Math.round((age / month) * 8) % 8] };
  },
});
