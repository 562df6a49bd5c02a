import { defineSchedule } from "@cursor/bdk/schedules";

export default defineSchedule({
  cron: "15,45 6-22 * * MON-SAT",
  timeZone: "America/Argentina/ComodRivadavia",
  run() {
    throw new Error("the pilot's number is not known");
  },
});
