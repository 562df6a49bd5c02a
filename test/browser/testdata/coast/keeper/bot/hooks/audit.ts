import { defineHook } from "@cursor/bdk/hooks";

export default defineHook({
  events: {
    "turn.completed"(event, ctx) {
      ctx.log.info("a turn ended", { session: ctx.session.id, tokens: event.data.usage?.inputTokens ?? 0 });
    },
    "turn.failed"(event, ctx) {
      ctx.log.warn(`a turn failed: ${event.data.message}`);
    },
  },
});
