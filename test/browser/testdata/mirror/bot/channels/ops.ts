import { allowAll, defineChannel, POST } from "@cursor/bdk/channels";

const bodySchema = { type: "object", properties: { text: { type: "string" } }, required: ["text"], additionalProperties: false } as const;

export default defineChannel({
  description: "Gives back what it gets.",
  auth: [allowAll()],
  routes: [
    POST("/repeat", { description: "Repeats a text", bodySchema, handler: (_request, { body }) => Response.json({ ok: true, said: body.text }) }),
    POST("/begin", {
      description: "Begins a session",
      bodySchema,
      handler: async (_request, { send, body }) => Response.json({ ok: true, sessionId: (await send(body.text, {})).id }),
    }),
  ],
});
