import { defineTool, type JsonObject, type JsonSchemaObject } from "@cursor/bdk";
import type { ToolContext, ToolExecuteResult, ToolResultContent } from "@cursor/bdk/tools";
import { same } from "../lib/same.js";

// A schema that is only known when it runs: the fields are unknown.
const generated: JsonSchemaObject = { type: "object" };

export const late = defineTool({
  description: "No literal schema.",
  inputSchema: generated,
  execute(input) {
    same<typeof input, Record<string, unknown>>();
  },
});

interface Config {
  description: string;
  inputSchema: JsonSchemaObject;
  effect: "read" | "write";
  needsApproval: boolean;
  execute: (input: JsonObject, ctx: Pick<ToolContext, "toolCallId">) => Promise<ToolExecuteResult>;
}

const content: ToolResultContent[] = [{ type: "text", text: "x" }, { type: "image", data: "", mimeType: "image/png" }];
export const config: Config = {
  description: "Made elsewhere.",
  inputSchema: generated,
  effect: "read",
  needsApproval: false,
  execute: async () => ({ content, isError: true }),
};
export const made = defineTool(config);

// @ts-expect-error a tool says what it does
defineTool({ inputSchema: { type: "object" }, execute() {} });
// @ts-expect-error an effect is read or write
defineTool({ description: "x", effect: "delete", inputSchema: { type: "object" }, execute() {} });

export default defineTool({
  description: "Plain JSON Schema.",
  title: "Plain",
  execution: "server",
  effect: "write",
  idempotent: true,
  timeArguments: ["window.from"],
  timeoutMs: 1_000,
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", minLength: 1 },
      count: { type: "integer" },
      level: { enum: ["low", "high"] },
      mode: { const: "fast" },
      either: { anyOf: [{ type: "string" }, { type: "null" }] },
      maybe: { type: ["number", "null"] },
      window: { type: "object", properties: { from: { type: "string" } }, required: ["from"] },
      rows: { type: "array", items: { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } },
      free: {},
    },
    required: ["name", "level", "either", "rows"],
    additionalProperties: false,
  },
  async execute(input, ctx) {
    same<typeof input.name, string>();
    same<typeof input.count, number | undefined>();
    same<typeof input.level, "low" | "high">();
    same<typeof input.mode, "fast" | undefined>();
    same<typeof input.either, string | null>();
    same<typeof input.maybe, number | null | undefined>();
    same<typeof input.window, { from: string } | undefined>();
    same<typeof input.rows, { ok: boolean }[]>();
    same<typeof input.free, unknown>();
    // @ts-expect-error no such field
    void input.other;
    await store(ctx);
    return { name: input.name, at: ctx.now().toISOString(), call: ctx.toolCallId ?? "none", dir: ctx.workspaceDir };
  },
});

async function store(ctx: ToolContext): Promise<void> {
  const { kv, files, otel, mcp, github, slack, reminders } = ctx.host;
  const { version } = await kv.put("a:b/c", { list: [1], gone: undefined }, { ttlSeconds: 60, ifVersion: 0 });
  same<typeof version, number>();
  const tasks: { title: string }[] = (await kv.get("tasks")) ?? [];
  const count = await kv.update<number>("count", (before) => (before ?? 0) + tasks.length);
  same<typeof count, number>();
  for (const entry of (await kv.list({ prefix: "a", limit: 10 })).entries) entry.key.slice(entry.version);
  const gone = await kv.delete("a");
  same<typeof gone, boolean>();
  // A project's own interface may take less than there is.
  const less: { put(key: string, value: unknown): Promise<void>; delete?(key: string): Promise<void> } = kv;
  const fewer: { delete(path: string): Promise<void> } = files;
  await Promise.all([less.delete?.("a"), fewer.delete("a")]);
  await files.write("a.txt", new Uint8Array(1), { scope: "deployment" });
  await files.append("a.txt", "x");
  if (await files.exists("a.txt")) (await files.readText("a.txt")).trim();
  (await files.read("a.txt")).byteLength.toFixed();
  await files.delete((await files.list({ scope: "deployment" }))[0] ?? (await files.list("x"))[0] ?? "a");
  otel.increment("n");
  otel.increment("n", 2, { a: true });
  otel.increment("n", { channel: ctx.channel.id });
  otel.record("ms", 3);
  otel.tag("k", "v");
  for (const name of mcp.names()) {
    const result = await mcp.callTool(name, "ask", { message: "x", waitSeconds: 0 });
    const part = result.content.find((p) => p.type === "text" && "text" in p);
    if (part && "text" in part && !result.isError) part.text.trim();
    (await mcp.listTools(name)).map((tool) => tool.name);
    await mcp.readResource(name, "file:///x");
  }
  const { data: pull } = await (await github.getOctokit()).rest.pulls.get({ owner: "o", repo: "r", pull_number: 1 });
  const changed: number = pull.additions + pull.deletions;
  const { data } = await (await github.getOctokit()).rest.pulls.listFiles({ owner: "o", repo: "r", pull_number: changed });
  data.map((file) => file.filename);
  const found = await (await slack.getClient()).reactions.get({ channel: "c", timestamp: "1" });
  ((found as { reactions?: { name: string }[] }).reactions ?? []).length.toFixed();
  const { id } = await reminders.set({ in: "2h", message: "again", key: "k" });
  await reminders.set({ cron: "0 9 * * 1", timeZone: "Europe/Berlin", message: "week" });
  await reminders.cancel(id);
  const record = await ctx.artifacts.tag({ kind: "book", key: "k", title: "t", data: { a: 1 }, contents: "x", contentType: "text/plain" });
  same<typeof record.id, string>();
  (await ctx.artifacts.list({ kind: "book", limit: 1 })).map((a) => a.updatedAt);
  ctx.log.info("done", { root: ctx.stateRoot, turn: ctx.turnId });
}
