// An event in a line, for people. Nothing here touches the page.
import type { LogEvent } from "../../session.js";
import { table } from "../../table.js";

const text = (x: unknown): string => (typeof x === "string" ? x : x === undefined ? "" : JSON.stringify(x));
const tokens = (u: any): string => (u ? `${grouped((u.inputTokens ?? 0) + (u.cacheReadTokens ?? 0) + (u.cacheWriteTokens ?? 0) + (u.outputTokens ?? 0))} tokens` : "");
const grouped = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
const joined = (...parts: (string | number | false | undefined)[]): string => parts.filter((p) => p !== undefined && p !== false && p !== "").join(" · ");

const lines = table<(d: any) => string>({
  "session.started": (d) => joined(d.agent, `by ${d.channelId}`, d.mode, d.purpose !== "live" && d.purpose, d.dryRun && "dry run", d.asOf && `as of ${d.asOf}`, d.forkedFrom && `forked from ${d.forkedFrom.sessionId} at ${d.forkedFrom.index}`),
  "session.updated": (d) => joined(d.title),
  "session.completed": (d) => text(d.result),
  "session.failed": (d) => d.message,
  "message.received": (d) => joined(d.from !== "user" && `from ${d.from}`, d.text),
  "turn.started": (d) => d.model,
  "turn.completed": (d) => joined(tokens(d.usage), text(d.result)),
  "turn.failed": (d) => joined(d.code, d.message),
  "turn.resumed": (d) => joined(d.reason, `attempt ${d.attempt}`),
  "step.started": (d) => joined(`step ${d.step}`, d.attempt > 1 && `attempt ${d.attempt}`, d.model, d.repair),
  "step.completed": (d) => joined(`step ${d.step}`, d.finishReason, tokens(d.usage)),
  "reasoning.appended": (d) => d.text,
  "reasoning.completed": (d) => d.text,
  "message.appended": (d) => d.text,
  "message.completed": (d) => joined(d.text, d.finishReason),
  "actions.requested": (d) => (d.calls ?? []).map((c: any) => `${c.toolName}(${text(c.args)})`).join(", "),
  "input.requested": (d) => joined(d.toolName, d.kind, text(d.args)),
  "input.resolved": (d) => joined(d.decision, d.by && `by ${d.by.id}`, d.reason),
  "action.result": (d) => joined(d.toolName, d.isError && (d.code || "failed"), d.stubbed && "stubbed", text(d.output)),
  "subagent.called": (d) => joined(d.name, d.task),
  "subagent.completed": (d) => joined(d.name, d.isError && "failed", tokens(d.usage), text(d.output)),
  "skill.loaded": (d) => d.name,
  "artifact.tagged": (d) => joined(d.artifact?.kind, d.artifact?.title || d.artifact?.key),
  "authorization.requested": (d) => d.connection,
  "authorization.completed": (d) => joined(d.connection, d.outcome),
  "context.compacted": (d) => joined(`${d.tokensBefore} → ${d.tokensAfter} tokens`, `through event ${d.throughIndex}`),
  "reminder.set": (d) => joined(d.at ?? d.cron, d.message),
});

/** One line, of at most 400 characters. */
export function summary(e: Pick<LogEvent, "type" | "data">): string {
  const d = e.data ?? {}, line = lines[e.type]?.(d) ?? (Object.keys(d).length > 0 ? JSON.stringify(d) : "");
  return String(line ?? "").replace(/\s+/g, " ").trim().slice(0, 400);
}

/** The family of an event gives its colour; a call that a person denied is no failure. */
export function family({ type, data }: Pick<LogEvent, "type" | "data">): "model" | "tool" | "sub" | "wait" | "bad" | "" {
  if (type.endsWith(".failed") || (data?.isError && !/^(denied|expired|cancelled)$/.test(data.code))) return "bad";
  if (/^(step|message\.(appended|completed)|reasoning)/.test(type)) return "model";
  if (/^(action)/.test(type)) return "tool";
  if (/^subagent/.test(type)) return "sub";
  return /^(input|authorization)/.test(type) ? "wait" : "";
}

/** Whether an event fits a type, or a family of types such as "turn.", and a text in its line. */
export function fits(e: LogEvent, type: string, words: string): boolean {
  if (type !== "" && e.type !== type && !(type.endsWith(".") && e.type.startsWith(type))) return false;
  return words === "" || e.line.toLowerCase().includes(words.toLowerCase());
}
