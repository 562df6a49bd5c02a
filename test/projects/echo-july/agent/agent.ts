import { defineAgent } from "@cursor/july";

export default defineAgent({
  model: { id: "grok-4.5", params: [{ id: "fast", value: "true" }] },
  architecture: "v2",
});
