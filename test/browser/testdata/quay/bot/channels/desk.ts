import { defineChannel, GET, POST, allowAll } from "@cursor/bdk/channels";

const text = { type: "string", minLength: 1 } as const;

export default defineChannel({
  description: "The harbour's own form, by which masters ask for a berth.",
  auth: [allowAll()],
  routes: [
    POST("/berth", {
      description: "Asks for a berth",
      bodySchema: { type: "object", properties: { ship: text, metres: { type: "number" } }, required: ["ship"] },
      handler: async (_request, { send, body }) => {
        const session = await send(`Berth for ${body.ship}`, { continuationToken: `berth:${body.ship}`, title: `Berth for ${body.ship}` });
        return Response.json({ ok: true, sessionId: session.id });
      },
    }),
    GET("/tide", { description: "Says when the tide turns", handler: async () => Response.json({ ok: true, high: "14:20" }) }),
  ],
});
