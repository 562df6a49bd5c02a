import { defineHook } from "@cursor/bdk/hooks";

export default defineHook({
  events: {
    async "artifact.tagged"(event, ctx) {
      await ctx.host.files.append("audit/stories.txt", `${event.data.artifact.key} ${event.data.artifact.title}\n`, { scope: "deployment" });
      ctx.host.otel.increment("newsroom.stories", { kind: event.data.artifact.kind });
    },
    async "turn.failed"(event, ctx) {
      if (event.data.status !== "cancelled") {
        ctx.host.otel.increment("newsroom.failures");
      }
    },
  },
});
