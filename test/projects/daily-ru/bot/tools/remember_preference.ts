import { defineTool } from "@cursor/bdk/tools";
import { keyOf, normalize, type Preference } from "../lib/preferences.js";

export default defineTool({
  description: "Запоминает предпочтение человека. Прежнее на ту же тему заменяется.",
  inputSchema: {
    type: "object",
    properties: {
      topic: { type: "string", minLength: 1, maxLength: 60, pattern: "\\p{L}", description: "Тема: «еда», «сон», «бюджет»" },
      detail: { type: "string", minLength: 1, maxLength: 500, description: "Что именно, словами человека" },
    },
    required: ["topic", "detail"],
    additionalProperties: false,
  },
  effect: "write",
  idempotent: true,
  dryRunResult: ({ topic }) => ({ saved: false, topic: normalize(topic), пробный: true }),
  async execute({ topic, detail }, ctx) {
    const preference: Preference = { topic: normalize(topic), detail, savedAt: ctx.now().toISOString() };
    const before = (await ctx.host.kv.get(keyOf(topic))) as Preference | undefined;
    await ctx.host.kv.put(keyOf(topic), preference);
    return { saved: true, topic: preference.topic, replaced: before?.detail };
  },
});
