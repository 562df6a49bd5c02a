import { defineTool } from "@cursor/bdk/tools";
import { z } from "zod";
import { factors, type Unit } from "../lib/lengths.js";

const units = Object.keys(factors) as [Unit, ...Unit[]];

export default defineTool({
  description: "Converts lengths at sea.",
  inputSchema: z.object({
    value: z.number().nonnegative(),
    from: z.enum(units),
    to: z.union([z.enum(units), z.array(z.enum(units)).min(1)]),
  }),
  effect: "read",
  execute({ value, from, to }) {
    const metres = value * factors[from];
    const round = (n: number) => Number(n.toPrecision(6));
    return Object.fromEntries([to].flat().map((unit) => [unit, round(metres / factors[unit])]));
  },
});
