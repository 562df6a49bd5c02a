import { bearerAuth, defineChannel, localDevStrict, POST } from "@cursor/bdk/channels";

const token = process.env.ALERTS_TOKEN;

export default defineChannel({
  description: "Takes alerts from monitoring.",
  auth: [localDevStrict(), ...(token ? [bearerAuth(token)] : [])],
  routes: [
    POST("/", {
      description: "One alert. All alerts of a service go to one session.",
      bodySchema: {
        type: "object",
        properties: {
          service: { type: "string", minLength: 1, maxLength: 100 },
          status: { enum: ["down", "up"] },
          text: { type: "string", maxLength: 2000 },
        },
        required: ["service", "status"],
        additionalProperties: false,
      },
      async handler(request, { body, send }) {
        const session = await send(`alert ${body.service}: ${body.status}, ${body.text ?? "no details"}`, {
          continuationToken: `alert:${body.service}`,
          title: body.service,
          // A conversation has one owner, whoever sends the alert.
          auth: { kind: "webhook", id: "alerts" },
          // Alerts that come while a turn runs are answered together.
          admission: "coalesce",
          // A sender that tries again with the same id starts nothing new.
          deliveryId: request.headers.get("x-delivery-id") ?? undefined,
        });
        return Response.json({ ok: true, sessionId: session.id }, { status: 202 });
      },
    }),
  ],
});
