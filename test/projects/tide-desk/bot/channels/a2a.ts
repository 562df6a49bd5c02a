// A2A over JSON-RPC: other agents read the card, then send messages and ask for tasks.
// The card lies below the channel, at /v1/channels/a2a/.well-known/agent-card.json: give
// clients that address. One that knows the host alone looks at the host's root, where a
// proxy can pass /.well-known/agent-card.json on to it.
import { type ChannelContext, defineChannel, GET, localDevStrict, POST, type SessionHandle } from "@cursor/bdk/channels";
import { type Dialect, v03, v1 } from "../lib/dialects.js";
import { type Call, error, type Fields, idOf, invalidParams, isObject, noCancel, noMethod, noTask, noVersion, parse, result, text } from "../lib/rpc.js";
import { events, forget, listen } from "../lib/replies.js";
import { find, keep, type State, type Task, taskId } from "../lib/tasks.js";

type Method = (call: Call, ctx: ChannelContext, dialect: Dialect) => Promise<Response>;

const methods: Record<string, [Method, Dialect]> = {
  SendMessage: [sendMessage, v1],
  SendStreamingMessage: [streamMessage, v1],
  GetTask: [getTask, v1],
  CancelTask: [cancelTask, v1],
  "message/send": [sendMessage, v03],
  "message/stream": [streamMessage, v03],
  "tasks/get": [getTask, v03],
  "tasks/cancel": [cancelTask, v03],
};

interface Asked {
  contextId: string;
  messageId: string;
  words: string;
}

function asked(params: Fields): Asked {
  const { message } = params;
  if (!isObject(message) || !Array.isArray(message.parts)) throw invalidParams("message has parts");
  const words = message.parts.map((part) => (isObject(part) && typeof part.text === "string" ? part.text : "")).filter(Boolean);
  if (words.length === 0) throw invalidParams("message has a part with text");
  const { contextId = crypto.randomUUID() } = message;
  if (typeof contextId !== "string" || contextId === "") throw invalidParams("contextId is a text");
  return { contextId, messageId: text(message, "messageId"), words: words.join("\n") };
}

const states: Record<string, State> = { finished: "completed", failed: "failed", cancelled: "canceled", parked: "input-required" };

/** Starts the task of a message, or finds it where the message comes again. */
async function begin(call: Call, ctx: ChannelContext): Promise<{ task: Task; ended: Promise<Task> }> {
  const { contextId, messageId, words } = asked(call.params), { principal, host } = ctx;
  const id = taskId(principal, messageId);
  const session = await ctx.send(words, {
    continuationToken: `a2a:${taskId(principal, contextId)}`, // others' contexts of the same name are others
    title: words.slice(0, 60),
    deliveryId: id,
  });
  const known = await find(host.kv, principal, id);
  const task: Task = known ?? { id, contextId, sessionId: session.id, state: "working", at: ctx.now().toISOString() };
  if (!known) await keep(host.kv, principal, task);
  const ended = task.state === "working" ? finish(ctx, session, task) : Promise.resolve(task);
  ctx.waitUntil(ended); // whoever asked may go: the task is kept all the same
  return { task, ended };
}

async function finish(ctx: ChannelContext, session: SessionHandle, task: Task): Promise<Task> {
  const outcome = await session.waitForCompletion();
  const ended: Task = { ...task, state: states[outcome.status] ?? "failed", at: ctx.now().toISOString(), text: String(outcome.result ?? outcome.errorMessage ?? "") };
  await keep(ctx.host.kv, ctx.principal, ended);
  return ended;
}

async function sendMessage(call: Call, ctx: ChannelContext, dialect: Dialect): Promise<Response> {
  const { task, ended } = await begin(call, ctx);
  const { configuration } = call.params;
  const now = isObject(configuration) && (configuration.returnImmediately === true || configuration.blocking === false);
  return Response.json(result(call.id, dialect.sent(now ? task : await ended)));
}

async function streamMessage(call: Call, ctx: ChannelContext, dialect: Dialect): Promise<Response> {
  const id = taskId(ctx.principal, asked(call.params).messageId), reply = listen(id);
  const { task, ended } = await begin(call, ctx).catch((e) => {
    forget(id);
    throw e;
  });
  const encoder = new TextEncoder();
  const line = (event: object) => encoder.encode(`data: ${JSON.stringify(result(call.id, event))}\n\n`);
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(line(dialect.sent(task))),
    async pull(stream) {
      const news = await Promise.race([reply.next(), ended]);
      if (!("state" in news)) {
        stream.enqueue(line(dialect.artifact(task, { text: news.text, append: !news.fresh, last: false })));
        return;
      }
      const { text: whole = "" } = news, more = reply.text !== "" && whole.startsWith(reply.text);
      stream.enqueue(line(dialect.artifact(news, { text: more ? whole.slice(reply.text.length) : whole, append: more, last: true })));
      stream.enqueue(line(dialect.status(news)));
      stream.close();
      forget(id);
    },
    cancel: () => void forget(id),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

async function getTask(call: Call, ctx: ChannelContext, dialect: Dialect): Promise<Response> {
  const id = text(call.params, "id"), task = await find(ctx.host.kv, ctx.principal, id);
  if (!task) throw noTask(id);
  return Response.json(result(call.id, dialect.task(task)));
}

/** A turn that runs cannot be stopped from a channel, and one that ended needs no stop. */
async function cancelTask(call: Call, ctx: ChannelContext): Promise<Response> {
  const id = text(call.params, "id");
  throw (await find(ctx.host.kv, ctx.principal, id)) ? noCancel(id) : noTask(id);
}

async function rpc(request: Request, ctx: ChannelContext): Promise<Response> {
  try {
    const version = request.headers.get("a2a-version") ?? "1.0";
    if (!/^(1\.0|0\.3)(\.\d+)?$/.test(version)) throw noVersion(version);
    const call = parse(ctx.body), found = Object.hasOwn(methods, call.method) ? methods[call.method] : undefined;
    if (!found) throw noMethod(call.method);
    const [method, dialect] = found;
    return await method(call, ctx, dialect);
  } catch (e) {
    return Response.json(error(idOf(ctx.body), e));
  }
}

function card(request: Request, ctx: ChannelContext): Response {
  const url = request.url.replace(/\/(\.well-known\/)?agent-card\.json.*$/, "");
  return Response.json({
    name: ctx.agent.name,
    description: "Says when the water is high at four ports.",
    version: "1.0.0",
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
    url, // where clients of 0.3 look
    protocolVersion: "0.3.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "high-water", name: "High water", description: "When the water is high at a port.", tags: ["tides"], examples: ["High water at Dover?"] }],
  });
}

export default defineChannel({
  description: "Other agents, over A2A.",
  auth: [localDevStrict()],
  events,
  routes: [
    POST("/", { description: "JSON-RPC of A2A 1.0 and 0.3.", handler: rpc }),
    GET("/.well-known/agent-card.json", { description: "The agent's card.", handler: card }),
    GET("/agent-card.json", { description: "The same card.", handler: card }),
  ],
});
