import { defineTool } from "@cursor/bdk/tools";

type Task = { name: string; minutes: number };

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

export default defineTool({
  description: "Раскладывает дела по дню, с перерывом после каждого.",
  inputSchema: {
    type: "object",
    properties: {
      start: { type: "string", pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", description: "Когда начать, например 09:30" },
      breakMinutes: { type: "integer", minimum: 0, maximum: 120 },
      tasks: {
        type: "array",
        minItems: 1,
        maxItems: 20,
        items: {
          type: "object",
          properties: { name: { type: "string", minLength: 1 }, minutes: { type: "integer", minimum: 5, maximum: 480 } },
          required: ["name", "minutes"],
          additionalProperties: false,
        },
      },
    },
    required: ["start", "tasks"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { lines: { type: "array", items: { type: "string" } }, ends: { type: "string" } },
    required: ["lines", "ends"],
  },
  effect: "read",
  execute({ start, tasks, breakMinutes = 10 }) {
    const [hours, minutes] = start.split(":").map(Number);
    let at = hours * 60 + minutes;
    const lines: string[] = [];
    for (const task of tasks as Task[]) {
      const end = at + task.minutes;
      if (end > 24 * 60) {
        throw new Error(`«${task.name}» уже не помещается в этот день`);
      }
      lines.push(`${clock(at)}–${clock(end)} ${task.name}`);
      at = end + breakMinutes;
    }
    return { lines, ends: clock(at - breakMinutes) };
  },
});
