import { defineTool } from "@cursor/bdk/tools";

const png = "iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAMAAADS6oI8AAAABGdBTUEAALGPC/xhBQAAACBjSFJNAAB6JgAAgIQAAPoAAACA6AAAdTAAAOpgAAA6mAAAF3CculE8AAAAwFBMVEU8T88+UM1BUstEVMlHVcdKV8ZNWcRQWsJSXMBVXr9YX71bYbteY7lhZLhkZrZmaLRpabJsa7Fvba9ybq11cKt4cqp6c6h9daaAd6SDeKKGeqGJfJ+MfZ2Of5uRgZqUgpiXhJaahpSdh5OgiZGii4+ljI2ojoyrkIqukYixk4a0lYW2loO5mIG8mn+/m33CnXzFn3rIoHjKonbNpHXQpXPTp3HWqW/Zqm7crGzermrhr2jksWfns2XqtGPttmHwuGA6KQn9AAAAB3RJTUUH6gwBARci12a3ZQAAAJpJREFUWMO1wYMBAwAAwLDOtm3b3v7/alc0AVtARlBGSEZYRkRGVEZMRlxGQkZSRkpGWkZGRlZGTkZeRkFGUUZJRllGRUZVRk1GXUZDRlNGS0ZbRkdGV0ZPRl/GQMZQxkjGWMZExlTGTMZcxkLGUsZKxlrGRsZWxk7GXsZBxlHGScZZxkXGVcZNxl3GQ8ZTxkvGW8ZHxlfGT/YHvZD0H1LGk/EAAAAldEVYdGRhdGU6Y3JlYXRlADIwMjYtMTItMDFUMDE6MjM6MzQrMDA6MDDV22jjAAAAJXRFWHRkYXRlOm1vZGlmeQAyMDI2LTEyLTAxVDAxOjIzOjM0KzAwOjAwpIbQXwAAAABJRU5ErkJggg==";
const notes = "# The month\n\nThe light burned **every** night.\n\n- 31 nights\n- 2 storms\n\n| station | wind |\n| --- | ---: |\n| Skerry | 42 |\n| Holm | 28 |\n";

export default defineTool({
  description: "Makes the report of a month: a table, a picture, notes and a drawing.",
  inputSchema: { type: "object", properties: { month: { type: "string" } }, required: ["month"] },
  effect: "write",
  async execute({ month }, ctx) {
    const rows = Array.from({ length: 60 }, (_, i) => `${month}-${(i % 31) + 1},${["Skerry", "Holm", "Far Stack"][i % 3]},${20 + (i * 7) % 30}`);
    await ctx.artifacts.tag({ kind: "report", key: month, title: `Wind at every station in ${month}`, data: { month, rows: rows.length }, contents: ["day,station,wind", ...rows, ""].join("\n"), contentType: "text/csv", fileName: `wind ${month}.csv` });
    await ctx.artifacts.tag({ kind: "report", key: `${month} notes`, title: "Notes of the keeper, with a title that is far too long to stand in one line of any list on a narrow page", contents: notes, contentType: "text/markdown", fileName: "notes.md" });
    await ctx.artifacts.tag({ kind: "chart", key: `${month} chart`, title: "Chart", contents: Uint8Array.from(atob(png), (c) => c.charCodeAt(0)), contentType: "image/png", fileName: "chart.png" });
    await ctx.artifacts.tag({ kind: "chart", key: `${month} drawing`, title: "A drawing of the tower", contents: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4" cx="4" cy="4"/></svg>`, contentType: "image/svg+xml", fileName: "tower.svg" });
    await ctx.artifacts.tag({ kind: "report", key: `${month} verdict`, title: "Verdict", data: { month, verdict: "calm", storms: [{ day: 3, knots: 48 }, { day: 19, knots: 52 }] } });
    await ctx.artifacts.tag({ kind: "chart", key: `${month} sound`, title: "Звук ревуна", contents: new Uint8Array([0, 1, 2, 255, 254]), contentType: "audio/ogg", fileName: "horn.ogg" });
    return { month, artifacts: 6 };
  },
});
