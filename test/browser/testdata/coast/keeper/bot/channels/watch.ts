import { allowAll, defineChannel, DELETE, GET, POST, PUT } from "@cursor/bdk/channels";

const text = { type: "string", minLength: 1 } as const;

export default defineChannel({
  description: "The room of the watch, where reports come in and the tide is asked for.",
  auth: [allowAll()],
  routes: [
    POST("/report", {
      description: "Opens a report, and a conversation about it",
      bodySchema: { type: "object", properties: { text }, required: ["text"], additionalProperties: false },
      handler: async (_request, { send, body }) => Response.json({ ok: true, sessionId: (await send(body.text, { title: `Report: ${body.text}` })).id }),
    }),
    POST("/count", {
      description: "Counts ships that pass",
      bodySchema: {
        type: "object",
        properties: { from: text, to: text, flags: { type: "array", items: { type: "string" } }, night: { type: "boolean" }, atLeast: { type: "integer" } },
        required: ["from", "to"],
      },
      handler: (_request, { body }) => Response.json({ ok: true, from: body.from, to: body.to, ships: 14 }),
    }),
    GET("/tide", {
      description: "Tells the tide of a station",
      querySchema: { type: "object", properties: { station: text, at: text }, required: ["station"] },
      handler: (_request, { query }) => Response.json({ ok: true, station: query.station, tide: "rising", centimetres: 182 }),
    }),
    GET("/stations/:station/gauges/:gauge", { description: "Reads a gauge", handler: (_request, { params }) => Response.json({ ok: true, ...params, value: 42 }) }),
    PUT("/lamp", { description: "Sets how bright the lamp is", bodySchema: { type: "object", properties: { percent: { type: "number" } }, required: ["percent"] }, handler: () => Response.json({ ok: true }) }),
    DELETE("/reports/:id", { description: "Throws a report away", handler: () => new Response(null, { status: 204 }) }),
  ],
});
