import {
  allowAll,
  apiKeyHeader,
  basicAuth,
  bearerAuth,
  type ChannelDefinition,
  DELETE,
  defineChannel,
  GET,
  jwtAuth,
  localDevStrict,
  PATCH,
  POST,
  PUT,
} from "@cursor/bdk/channels";
import { z } from "zod";
import { same } from "../lib/same.js";

const token = process.env.TICKETS_TOKEN;

const channel = defineChannel<{ url: string }>({
  description: "Tickets.",
  auth: [
    localDevStrict(),
    ...(token ? [bearerAuth(token)] : []),
    bearerAuth({ token: "portal" }),
    jwtAuth({ jwksUrl: "https://example.com/keys", issuer: "i", audience: "a", claim: "email" }),
    jwtAuth({ keys: ["-----BEGIN PUBLIC KEY-----"], issuer: "i", audience: "a" }),
    basicAuth({ users: { a: "b" } }),
    basicAuth({ a: "b" }),
    basicAuth("a", "b"),
    apiKeyHeader({ header: "x-key", keys: { k: "portal" } }),
    apiKeyHeader("x-key", "k"),
    allowAll(),
    async (request) => (request.headers.get("x-me") === "1" ? { kind: "me", id: "1", tenant: "t" } : null),
  ],
  admission: "coalesce",
  approvals: true,
  state: { url: "" },
  onStart: async ({ log, send, waitUntil, agent }) => {
    const up = await send("up", { continuationToken: `start:${agent.name}`, mode: "task" });
    waitUntil(up.waitForCompletion().then(({ status }) => log.info(status)));
  },
  routes: [
    POST("/", {
      description: "Opens a ticket.",
      bodySchema: z.object({ id: z.string(), text: z.string(), from: z.string().optional() }),
      async handler(request, { body, send, waitUntil, principal, log }) {
        same<typeof body, { id: string; text: string; from?: string | undefined }>();
        const session = await send(body.text, {
          continuationToken: body.from ? `ticket:${body.id}` : undefined,
          title: body.id,
          auth: principal,
          admission: "interrupt",
          workspaceFiles: { "a.txt": "a", "b.bin": new Uint8Array(1), "c.bin": { base64: "" } },
          mode: "chat",
          deliveryId: request.headers.get("x-delivery") ?? undefined,
        });
        waitUntil(session.waitForCompletion().then((outcome) => log.info(outcome.status)));
        const outcome = await session.waitForCompletion();
        const reply: string = outcome.result ?? outcome.errorMessage ?? "";
        return Response.json({ ok: outcome.status === "finished", id: session.id, reply });
      },
    }),
    POST("/raw", {
      bodySchema: z.unknown(),
      acknowledge: true,
      handler: async (request, { body }) => {
        same<typeof body, unknown>();
        return new Response(await request.arrayBuffer());
      },
    }),
    PUT("/plain/:id", {
      bodySchema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
      querySchema: { type: "object", properties: { dry: { type: "boolean" } } },
      handler: (_request, { body, query, params }) => {
        same<typeof body, { note: string }>();
        same<typeof query.dry, boolean | undefined>();
        return Response.json({ id: params.id, note: body.note });
      },
    }),
    PATCH("/none", {
      handler: async (_request, { body, query }) => {
        same<typeof query, Record<string, string | string[]>>();
        return Response.json({ body: body === undefined, q: query.q ?? "" });
      },
    }),
    GET("/page/:n", {
      querySchema: z.object({ page: z.coerce.number().default(1) }),
      handler(_request, { query, params, signal }) {
        same<typeof query, { page: number }>();
        return new Response(new ReadableStream({ pull: (c) => (signal.aborted ? c.close() : c.enqueue(new Uint8Array(query.page))) }), { headers: { "x-n": params.n ?? "" } });
      },
    }),
    DELETE("/:id", async (_request, ctx) => {
      const session = await ctx.getSession(ctx.params.id ?? "");
      return Response.json({ found: session !== undefined, at: session?.continuationToken ?? session?.id ?? null });
    }),
    GET("/", { querySchema: z.object({}), handler: async (_request, { host }) => Response.json(await host.kv.get("all")) }),
  ],
  events: {
    async "turn.completed"(event, channel, ctx) {
      same<typeof channel.state, { url: string } | null>();
      await channel.setState({ url: channel.state?.url ?? "" });
      ctx.waitUntil(ctx.artifacts.list());
      await channel.setContinuationToken(`ticket:${ctx.session.id}`);
      await ctx.host.kv.put(ctx.deliveryId, event.data.result ?? null);
    },
    "*": (event) => event.type,
  },
});

// @ts-expect-error a variable may not be set
bearerAuth(process.env.TICKETS_TOKEN);
// @ts-expect-error tokens of anybody would do
jwtAuth({ keys: ["k"] });
// @ts-expect-error a policy names who calls
defineChannel({ auth: [() => true] });
// @ts-expect-error send has no such option
POST("/y", async (_request, { send }) => Response.json(await send("x", { token: "t" })));
// @ts-expect-error a handler answers with a Response
POST("/x", { handler: () => ({ ok: true }) });

export const any = channel as ChannelDefinition<any>;
export default channel;
