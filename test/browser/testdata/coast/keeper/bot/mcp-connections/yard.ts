import { defineConnection } from "@cursor/bdk/connections";

export default defineConnection({ agent: "yard", description: "Mends boats, lamps and quays.", advertiseTools: true });
