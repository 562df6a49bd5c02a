import type { HookContext, SessionEvent, SessionEventType } from "@cursor/bdk";
import { defineHook } from "@cursor/bdk/hooks";
import { same } from "../lib/same.js";

const types: SessionEventType[] = ["turn.completed", "context.compacted"];

function line(event: SessionEvent, ctx: HookContext): string {
  switch (event.type) {
    case "action.result":
      return `${event.data.toolName} ${event.data.isError}`;
    case "actions.requested":
      return event.data.calls.map((call) => call.callId).join();
    case "artifact.tagged":
      return event.data.artifact.kind;
    default:
      return `${event.type} ${event.index} ${ctx.channel.continuationToken ?? ""} ${ctx.now().getTime()}`;
  }
}

const hook = defineHook({
  events: {
    async "turn.completed"(event, ctx) {
      if (ctx.session.purpose === "eval" || event.data.usage === undefined) return;
      const { inputTokens, outputTokens } = event.data.usage;
      same<typeof event.data.cost, { totalUsd: number; model: string } | undefined>();
      ctx.host.otel.increment("tokens", inputTokens + outputTokens);
    },
    async "turn.failed"(event, ctx) {
      same<typeof event.data.status, "error" | "cancelled" | undefined>();
      await ctx.artifacts.tag({ key: "failure", data: { message: event.data.message } });
      // @ts-expect-error events are read-only
      event.data.message = "";
    },
    "message.received": (event) => event.data.text.trim(),
    "*"(event, ctx) {
      if (types.includes(event.type)) ctx.log.info(line(event, ctx));
    },
  },
});

// A definition is a plain object, so a test can call a handler.
void hook.events["*"]({ type: "session.waiting", index: 1, sessionId: "s", at: "", data: {} }, {} as HookContext);

// @ts-expect-error there is no such event
defineHook({ events: { "turn.complete"() {} } });

export default hook;
