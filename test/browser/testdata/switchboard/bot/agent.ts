import { defineAgent } from "@cursor/bdk";

export default defineAgent({ name: "Switchboard", description: "Puts calls through.", approvals: { timeoutMs: 3_000 } });
