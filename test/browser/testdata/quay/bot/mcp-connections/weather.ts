import { defineConnection } from "@cursor/bdk/connections";

export default defineConnection({ url: "http://127.0.0.1:9/mcp", description: "The weather at sea.", advertiseTools: true });
