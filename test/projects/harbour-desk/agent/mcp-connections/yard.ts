import { defineConnection } from "@cursor/july/connections";

const url = process.env.YARD_URL;
const common = { description: "Mends boats, lamps and quays.", advertiseTools: true };

// Beside this agent, or on a host of its own.
export default url
  ? defineConnection({ url, headers: { "X-Yard-Token": process.env.YARD_TOKEN ?? "" }, ...common })
  : defineConnection({ agent: "yard", ...common });
