import type { HostKvApi, HostMcpCallResult, JsonValue } from "@cursor/bdk";
import { defineTool } from "@cursor/bdk/tools";
import type { ToolContext } from "@cursor/bdk/tools";
import { z } from "zod";

// Parts of ctx go into code that says for itself what it needs.
type Kv = ToolContext["host"]["kv"];
type Stored = Parameters<Kv["put"]>[1];
interface Memory {
  get: (key: string) => Promise<JsonValue | undefined>;
  put: (key: string, value: JsonValue) => Promise<void>;
}
interface Mcp {
  names: () => string[];
  callTool: (name: string, tool: string, args?: Record<string, unknown>) => Promise<HostMcpCallResult>;
}
interface Publishes {
  now(): Date;
  artifacts: { tag(input: { kind: string; key: string; title: string; contents: string; data: { code: number | null } }): Promise<{ id: string }> };
  session: { id: string; purpose?: string };
  toolCallId?: string;
}

const asDoc = (value: unknown): { name: string } => value as { name: string };

async function work(ctx: Publishes, kv: Memory, mcp: Mcp, own: HostKvApi): Promise<JsonValue> {
  await kv.put("a", mcp.names());
  await own.put("doc", asDoc(await own.get("doc")) as unknown as Stored);
  return (await ctx.artifacts.tag({ kind: "k", key: ctx.session.id, title: "t", contents: "", data: { code: null } })).id;
}

export default defineTool({
  description: "Hands its parts on.",
  inputSchema: z.object({}),
  execute: async (_input, ctx) => await work(ctx, ctx.host.kv, ctx.host.mcp, ctx.host.kv),
});
