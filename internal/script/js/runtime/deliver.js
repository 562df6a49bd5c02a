// Handlers of a channel for the events of its sessions.
import { async, sync } from "./bridge.js";
import { Context } from "./context.js";
import { frozen } from "./frozen.js";
import { encode } from "./json.js";
import { bindWaitUntil, withHost } from "./lasting.js";
import { apply, parse, trim, TypeError, whenSettled } from "./primordials.js";

// deliver gives an event, and the session's place in the channel, to the handler of a type.
export function deliver(call, channel, type, after) {
  const f = channel.events?.[type];
  if (typeof f !== "function") throw new TypeError(`the channel has no handler for ${type}`);
  const context = (call.context = new Context(call.id)), place = (call.input = conversation(call.id));
  const ctx = withHost({ session: context.session, deliveryId: place.deliveryId, waitUntil: bindWaitUntil(call.id) }, context);
  return after(call, apply(f, channel.events, [frozen(call.text), place.channel, ctx]), () => after(call, place.written(), nothing));
}

const nothing = () => "null";

// wrote writes after what was written before. It awaits, since a promise that a promise
// resolves to is asked for its then.
async function wrote(call, before, name, value) {
  if (before !== undefined) await before;
  await async(call, name, value);
}

// conversation is what a handler sees of it. Writes go one after the other, and the
// delivery waits for those that the handler does not.
function conversation(call) {
  const about = parse(sync("conversation.meta", call));
  let { state, continuationToken } = about, last;
  const write = (name, value, then) => {
    const done = wrote(call, last, name, value);
    last = whenSettled(done, nothing, nothing);
    return whenSettled(done, then);
  };
  const channel = {
    get state() { return state; },
    get continuationToken() { return continuationToken; },
    // setState keeps a value in the session's log; the handlers that follow see it.
    setState(value) {
      const text = encode(value, "the state");
      state = value === undefined ? null : value;
      return write("conversation.state", text, () => {});
    },
    // setContinuationToken gives the conversation another name.
    setContinuationToken(token) {
      if (typeof token !== "string" || trim(token) === "") throw new TypeError("setContinuationToken needs a string with text in it");
      return write("conversation.token", token, () => { continuationToken = token; });
    },
  };
  return { channel, deliveryId: about.deliveryId, written: () => last };
}
