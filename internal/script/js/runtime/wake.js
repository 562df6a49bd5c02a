// The handlers of the channels of packs: they say what to make of an event.
import { Context } from "./context.js";
import { encode } from "./json.js";
import { bindWaitUntil, withHost } from "./lasting.js";
import { apply, parse } from "./primordials.js";
import { bindThread } from "./slack.js";

// wake asks a handler of a channel what to make of an event.
export function wake(call, channel, name, after) {
  const { ctx, subject } = parse(call.text);
  const context = (call.context = new Context(call.id)), full = withHost({ ...ctx, waitUntil: bindWaitUntil(call.id) }, context);
  if (channel.pack === "slack") full.thread = bindThread(call.id, ctx.thread);
  return after(call, apply(channel[name], channel, [full, subject]), woken);
}

const woken = (_, value) => encode(value, "what the handler returned");
