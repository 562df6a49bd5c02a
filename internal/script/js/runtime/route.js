// Routes of a channel, and its start.
import { Context } from "./context.js";
import { requestOf } from "./incoming.js";
import { bindWaitUntil, withHost } from "./lasting.js";
import { reply } from "./reply.js";
import { Refused } from "./refused.js";
import { apply, parse } from "./primordials.js";
import { isSchema, validateInput } from "./schema.js";
import { bindSessions } from "./sessions.js";

// route goes on, by after, with what the handler of a route answers. Go has checked
// what has a plain JSON Schema; other schemas parse here.
export function route(call, channel, index, after) {
  const given = parse(call.text);
  call.tool = channel.routes[index];
  call.input = { given, after, query: undefined };
  return after(call, fit(call.tool.querySchema, given.query), queried);
}

const fit = (schema, value) => (isSchema(schema) ? validateInput(schema, value) : { value });

function valueOf(result, where) {
  if (result.issues) throw new Refused(result.issues, where);
  return result.value;
}

function queried(call, result) {
  const { given, after } = call.input;
  call.input.query = valueOf(result, "query");
  return after(call, fit(call.tool.bodySchema, given.body), handle);
}

function handle(call, result) {
  const { given, after, query } = call.input, body = valueOf(result, "body"), route = call.tool;
  const context = (call.context = new Context(call.id));
  const ctx = withHost({ body, query, params: given.params, principal: given.principal, deliveryId: given.deliveryId, ...surface(call.id) }, context);
  return after(call, apply(route.handler, route, [requestOf(call.id, given, context.signal), ctx]), reply);
}

// surface is what a channel's own code may do.
function surface(id) {
  const { send, getSession } = bindSessions(id);
  return { send, getSession, waitUntil: bindWaitUntil(id) };
}

// start calls a channel's onStart.
export function startChannel(call, channel, after) {
  const context = (call.context = new Context(call.id));
  return after(call, apply(channel.onStart, channel, [withHost(surface(call.id), context)]), nothing);
}

const nothing = () => "null";
