export const defineSchedule = (schedule) => __bdk.mark("schedule", schedule);
