import { defineAgent } from "@cursor/bdk";

export default defineAgent({ name: "Mirror", description: "Gives back what it gets.", approvals: { timeoutMs: 3_600_000 } });
