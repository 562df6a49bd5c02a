import { defineConnection } from "@cursor/bdk/connections";

// Nothing listens there: what a connection that is down looks like.
export default defineConnection({ url: "http://127.0.0.1:9/mcp", description: "The forecasts of the institute.", advertiseTools: true });
