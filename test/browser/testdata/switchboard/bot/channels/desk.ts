import { allowAll, DELETE, defineChannel, GET, PATCH, POST, PUT } from "@cursor/bdk/channels";
import { back } from "../lib/back.js";

const text = { type: "string", minLength: 1 } as const;
const words = { type: "object", properties: { text }, required: ["text"], additionalProperties: false } as const;
const why = { type: "object", properties: { why: text, "за что": text } } as const;
const order = {
  type: "object",
  properties: {
    count: { type: "integer", minimum: 2 },
    kind: { enum: ["lamp", "wick", 7] },
    price: { type: "number" },
    loud: { type: "boolean" },
    tags: { type: "array", items: { type: "string" }, minItems: 1 },
    sizes: { type: "array", items: { type: "number" } },
    place: { type: "object", properties: { room: text, floors: { type: "array", items: { type: "integer" } } }, required: ["room"] },
    "город": { type: ["string", "null"] },
  },
  required: ["count", "kind"],
  additionalProperties: false,
} as const;

export default defineChannel({
  description: "The desk of the day.",
  auth: [allowAll()],
  routes: [
    POST("/", { description: "Says a text back", bodySchema: words, handler: back }),
    POST("/order", { description: "Takes an order", bodySchema: order, handler: back }),
    GET("/find", { description: "Finds", querySchema: { type: "object", properties: { q: text, limit: { type: "integer" }, tag: { type: "array", items: { type: "string" } } }, required: ["q"] }, handler: back }),
    POST("/ring", { description: "Rings by day", handler: back }),
    DELETE("/all", { description: "Clears the desk", bodySchema: why, handler: back }),
    GET("/items/:id", { description: "One item", handler: back }),
    PUT("/items/:id", { description: "Puts an item", bodySchema: words, handler: back }),
    PATCH("/items/:id/:part", { description: "Changes a part", bodySchema: why, handler: back }),
    DELETE("/items/:id", { description: "Drops an item", handler: back }),
    POST("/open", { description: "Begins a session", bodySchema: words, handler: async (_request, { send, body }) => Response.json({ sessionId: (await send(body.text, {})).id }, { status: 201 }) }),
    POST("/refuse", { description: "Says no", handler: () => Response.json({ error: "closed", message: "The desk is closed." }, { status: 409 }) }),
    POST("/break", {
      description: "Fails",
      handler: () => {
        throw new Error("the wire is cut");
      },
    }),
    GET("/nothing", { description: "Has nothing to say", handler: () => new Response(null, { status: 204 }) }),
    GET("/v1.2/roll-call.txt", { description: "A text", handler: () => new Response("one\ntwo\n") }),
  ],
});
