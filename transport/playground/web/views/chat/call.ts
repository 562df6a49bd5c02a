// A tool call in the transcript: one line, and all of it when it is unfolded.
import { type Child, cls, h } from "../../dom.js";
import { duration, isolated, plural, pretty, visible } from "../../format.js";
import type { Call } from "../../session.js";
import type { Live } from "./live.js";
import { table } from "../../table.js";
import { callKey, work } from "./rows.js";
import { folding, value } from "./value.js";

const words: Record<Call["status"], string> = { running: "runs", waiting: "waits for you", completed: "done", failed: "failed", denied: "denied" };
const tones: Record<Call["status"], string> = { running: "accent", waiting: "warn", completed: "good", failed: "bad", denied: "bad" };

export function call(live: Live, c: Call): HTMLElement {
  const status = live.now(() => c.status), key = callKey(c), what = live.now(() => summary(c)), took = live.now(() => (c.endedAt ? duration(c.endedAt - c.at) : ""));
  return folding({
    class: "call",
    open: () => live.unfolded(key),
    set: (open) => live.fold(key, open),
    summary: [
      h("span", { class: "call-name mono" }, visible(c.name)),
      h("span", { class: "call-what" }, () => what()),
      flag(live.now(() => Boolean(c.stubbed)), "stubbed"),
      c.effect === "write" && h("span", { class: "chip" }, "write"),
      h("span", { class: () => cls("chip", tones[status()]) }, () => words[status()]),
      h("span", { class: "dim small num took" }, () => took()),
    ],
    body: () => details(live, c),
  });
}

const flag = (held: () => boolean, word: string): Child => () => held() && h("span", { class: "chip warn" }, word);

// summary is what a call is about, in a line: its plain arguments, or a subagent's task.
export function summary(c: Call): string {
  if (c.subagent) {
    const { steps, calls } = work(c.items);
    return isolated(`${c.subagent.name}: ${c.subagent.task}`.slice(0, 200)) + ` (${plural(steps, "step")}, ${plural(calls, "call")})`;
  }
  if (typeof c.args !== "object" || c.args === null) return "";
  const parts = Object.entries(c.args).map(([name, v]) => `${name}: ${typeof v === "string" ? v : JSON.stringify(v)}`);
  return visible(parts.join("  ").replace(/\s+/g, " ").slice(0, 200));
}

function details(live: Live, c: Call): HTMLElement {
  const ended = live.now(() => c.endedAt !== undefined), decided = live.now(() => decision(c));
  return h(
    "div",
    { class: "call-in" },
    h("p", { class: "dim small" }, `${visible(c.effect || "unknown")} effect · `, h("span", { class: "mono" }, visible(c.id))),
    value("Arguments", () => pretty(c.args)),
    () => decided() && h("p", { class: "small" }, decided()),
    () => ended() && (c.stubbed ? h("p", { class: "small dim" }, "A dry run: the tool was not run, and this is what stands for its output.") : null),
    () => ended() && value(c.status === "completed" ? "Output" : visible(`Error${c.code ? ` (${c.code})` : ""}`), () => (ended(), pretty(c.output))),
  );
}

function decision(c: Call): string {
  if (!c.decided) return "";
  const { decision, by, reason } = c.decided, words = table({ approve: "Approved", deny: "Denied", expired: "Nobody decided in time", cancelled: "No longer asked" });
  return visible((words[decision] ?? decision) + (by ? ` by ${by}` : "") + (reason ? `: ${reason}` : ""));
}
