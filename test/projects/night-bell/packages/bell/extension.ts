import { defineExtension } from "@cursor/bdk/extensions";

export default defineExtension({
  root: import.meta.dirname,
  description: "A bell that rings for those who have its code.",
  config: {
    type: "object",
    properties: { code: { type: "string", minLength: 4 }, most: { type: "integer", minimum: 1 } },
    required: ["code"],
    additionalProperties: false,
  },
});
