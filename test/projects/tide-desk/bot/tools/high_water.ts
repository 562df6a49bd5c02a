import { defineTool } from "@cursor/bdk/tools";

// The next high water of a sample day.
const ports: Record<string, { time: string; metres: number }> = {
  brest: { time: "05:12", metres: 6.4 },
  dover: { time: "11:40", metres: 6.1 },
  bergen: { time: "10:03", metres: 1.3 },
  cuxhaven: { time: "00:51", metres: 3.4 },
};

export default defineTool({
  description: "The time and height of the next high water at a port.",
  inputSchema: {
    type: "object",
    properties: { port: { type: "string", minLength: 1, maxLength: 40 } },
    required: ["port"],
    additionalProperties: false,
  },
  execute({ port }) {
    const tide = ports[port.toLowerCase()];
    if (!tide) throw new Error(`I know no port ${port}; I know ${Object.keys(ports).join(", ")}.`);
    return { port, ...tide };
  },
});
