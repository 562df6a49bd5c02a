import { defineSchedule } from "@cursor/bdk/schedules";

export default defineSchedule({
  cron: "*/20 * * * *",
  async run({ callTool, log }) {
    const read = await callTool("read_gauge", { station: "Skerry" });
    log.info(`the wind is ${read.result.value}`);
  },
});
