import { allowAll, defineChannel, GET, POST } from "@cursor/july/channels";
import { approve, keep, pending } from "../lib/repairs.js";

const text = { type: "string", minLength: 1 } as const;
const conversation = (ticketId: string) => `report:${ticketId}`;

export default defineChannel({
  description: "The harbour's own portal, which knows who is at the desk.",
  auth: [allowAll()],
  routes: [
    POST("/report", {
      description: "Opens a ticket",
      bodySchema: { type: "object", properties: { ticketId: text, subject: text, message: text, reporter: text }, required: ["ticketId", "subject", "message"] },
      handler: async (_request, { send, body }) => {
        const by = body.reporter === undefined ? "" : ` by ${body.reporter}`;
        const session = await send(`Report ${body.ticketId}${by}: ${body.message}`, {
          continuationToken: conversation(body.ticketId),
          title: `${body.ticketId}: ${body.subject}`,
        });
        return Response.json({ ok: true, ticketId: body.ticketId, sessionId: session.id });
      },
    }),
    POST("/followup", {
      description: "Adds to a ticket",
      bodySchema: { type: "object", properties: { ticketId: text, message: text }, required: ["ticketId", "message"] },
      handler: async (_request, { send, body }) => {
        const session = await send(body.message, { continuationToken: conversation(body.ticketId), admission: "coalesce" });
        return Response.json({ ok: true, sessionId: session.id });
      },
    }),
    GET("/pending", {
      description: "Lists what waits for a warden",
      querySchema: { type: "object", properties: {} },
      handler: async (_request, { host }) => Response.json({ ok: true, pending: await pending(host.kv) }),
    }),
    POST("/approve", {
      description: "Has a repair made",
      bodySchema: { type: "object", properties: { repairId: text, warden: text }, required: ["repairId", "warden"] },
      handler: async (_request, { send, host, body }) => {
        const wardens = process.env.HARBOUR_WARDENS?.split(",").map((name) => name.trim());
        if (wardens && !wardens.includes(body.warden)) return Response.json({ ok: false, error: "not a warden" }, { status: 403 });
        const repair = await approve(host.kv, body.repairId, body.warden);
        if (repair === null) return Response.json({ ok: false, error: "no such repair waits" }, { status: 409 });
        const session = await send(`Approved: ${repair.place}`, { continuationToken: conversation(repair.ticketId), admission: "coalesce" });
        await keep(host.kv, { ...repair, status: "sent" });
        return Response.json({ ok: true, repairId: repair.id, sessionId: session.id });
      },
    }),
  ],
});
