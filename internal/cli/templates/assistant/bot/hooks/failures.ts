import { defineHook } from "@cursor/bdk/hooks";

export default defineHook({
  events: {
    "turn.failed"(event, ctx) {
      if (event.data.status === "cancelled" || ctx.session.purpose === "eval") return;
      ctx.host.otel.increment("turns.failed", { channel: ctx.channel.id });
      ctx.log.warn("a turn failed", { code: event.data.code, message: event.data.message });
    },
  },
});
