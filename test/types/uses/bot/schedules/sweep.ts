import type { JsonValue } from "@cursor/bdk";
import type { ChannelDefinition } from "@cursor/bdk/channels";
import { defineSchedule } from "@cursor/bdk/schedules";
import slack from "../channels/slack.js";
import tickets from "../channels/tickets.js";

export const daily = defineSchedule({ cron: "0 9 * * 1-5", timeZone: "Europe/Berlin", markdown: "Say what is open." });

// @ts-expect-error one of the two, not both
defineSchedule({ cron: "* * * * *", markdown: "x", run() {} });

export default defineSchedule({
  cron: "*/20 * * * *",
  overlap: "skip",
  catchUp: true,
  async run({ callTool, receive, waitUntil, appAuth, host, scheduledAt, log, artifacts, agent, now, signal }) {
    const fetched = await callTool("fetch_news", { limit: 8, image: undefined });
    if (fetched.isError || signal.aborted) return;
    await artifacts.tag({ key: agent.name, data: now().toISOString() });
    const { items = [] } = fetched.result as { items?: { title: string }[] };
    await host.kv.put("last", { at: scheduledAt.toISOString(), items });
    const channel = slack as ChannelDefinition<JsonValue>;
    waitUntil(receive(channel, { message: "new", auth: appAuth, target: { channelId: "c" } }).then((s) => log.info(s.id)));
    await receive(tickets, { message: "new" });
    await receive("tickets", { message: "new" });
  },
});
