import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Reads a gauge of a station: the wind, the tide or the pressure.",
  inputSchema: {
    type: "object",
    properties: { station: { type: "string", description: "such as Skerry" }, gauge: { enum: ["wind", "tide", "pressure"] } },
    required: ["station"],
    additionalProperties: false,
  },
  effect: "read",
  execute: ({ station, gauge = "wind" }) => ({ station, gauge, value: station.length * 7, unit: gauge === "tide" ? "cm" : "kn", steady: true }),
});
