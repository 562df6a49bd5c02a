import { defineConnection } from "@cursor/bdk/connections";

export default defineConnection({ agent: "peer" });
