import { defineAgent } from "@cursor/bdk";

export default defineAgent({ description: "Mends boats, lamps and quays." });
