import { defineHook } from "@cursor/bdk/hooks";

export default defineHook({
  events: {
    async "artifact.tagged"(_event, ctx) {
      ctx.host.otel.increment("quay.papers", {});
    },
    async "turn.failed"(_event, ctx) {
      ctx.host.otel.increment("quay.failures", {});
    },
  },
});
