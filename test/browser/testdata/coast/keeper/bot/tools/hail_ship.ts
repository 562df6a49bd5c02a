import { defineTool } from "@cursor/bdk/tools";

export default defineTool({
  description: "Hails a ship over the radio, which nobody answers.",
  inputSchema: { type: "object", properties: { ship: { type: "string" } }, required: ["ship"] },
  effect: "write",
  execute({ ship }, ctx) {
    ctx.log.error(`no answer from ${ship}`, { ship, channel: 16, tries: 3 });
    throw new Error(`no answer from ${ship} on channel 16 after three tries: the aerial of the northern station is down, and https://radio.invalid/stations/northern/aerials/0001 says nothing`);
  },
});
