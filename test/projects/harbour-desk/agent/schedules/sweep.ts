import { defineSchedule } from "@cursor/july/schedules";
import reports from "../channels/reports.js";
import { keep, pending } from "../lib/repairs.js";

export default defineSchedule({
  cron: "*/20 * * * *",
  async run({ host, receive, waitUntil, appAuth }) {
    for (const repair of (await pending(host.kv)).filter((r) => !r.chased)) {
      const asked = receive(reports, {
        message: `${repair.id} still waits: ${repair.place}`,
        auth: appAuth,
        target: { continuationToken: `chase:${repair.id}`, title: `Chasing ${repair.id}` },
      });
      waitUntil(asked.then(() => keep(host.kv, { ...repair, chased: true })));
    }
  },
});
