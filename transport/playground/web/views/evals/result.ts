// The result of one case in full.
import { type Child, cls, h } from "../../dom.js";
import { count, duration, isolated, money, pretty, tokens, visible } from "../../format.js";
import { to } from "../../router.js";
import { table } from "../../table.js";
import { folding, value } from "../chat/value.js";
import { signs, spentTokens, tones } from "./sums.js";
import type { Assertion, Result, ToolCall } from "./types.js";

export function detail(r: Result): Child {
  return [
    h("div", { class: "row" }, h("span", { class: cls("chip", tones[r.verdict]) }, `${signs[r.verdict]} ${r.verdict}`), h("h2", { class: "mono eval-case" }, visible(r.id))),
    r.description && h("p", null, visible(r.description)),
    r.sessionId && h("nav", { class: "row", "aria-label": "The session of the case" }, h("a", { class: "button", href: to("chat", r.sessionId) }, "Session in Chat"), h("a", { class: "button", href: to("trace", r.sessionId) }, "Session in Trace")),
    r.error && fault(r.error),
    r.skipReason && part("Skipped because", h("p", null, visible(r.skipReason))),
    r.assertions.length > 0 && part(held(r.assertions), h("ul", { class: "assertions" }, r.assertions.map(assertion))),
    r.inputs.length > 0 && part("Sent", r.inputs.map((text) => h("p", { class: "eval-said" }, isolated(text)))),
    r.finalText !== "" && part("Final text", h("p", { class: "eval-reply" }, isolated(r.finalText))),
    r.toolCalls.length > 0 && part(`Tool calls (${r.toolCalls.length})`, h("ul", { class: "stack-small" }, r.toolCalls.map(call))),
    r.logs.length > 0 && part(`Logs (${r.logs.length})`, h("pre", { tabindex: "0", "aria-label": "Logs" }, visible(r.logs.join("\n")))),
    part("Figures", figures(r)),
  ];
}

// A run that was not verbose keeps what was missed alone.
const held = (all: readonly Assertion[]): string => {
  const n = all.filter((a) => a.passed).length;
  return n === 0 ? `Missed assertions (${all.length})` : `Assertions (${n} of ${all.length} held)`;
};

const part = (title: string, ...of: Child[]): HTMLElement => h("section", { class: "eval-part" }, h("h3", null, title), of);

function fault(e: NonNullable<Result["error"]>): HTMLElement {
  return h(
    "div",
    { class: "failure stack-small" },
    h("p", null, h("b", null, `${faults[e.kind] ?? e.kind}: `), visible(e.message)),
    e.place && h("p", { class: "mono small" }, visible(e.place)),
    e.stack && folding({ summary: "Stack", body: () => h("pre", { tabindex: "0", "aria-label": "Stack" }, visible(e.stack!)) }),
  );
}

const faults = table<string>({ test: "The test threw", judge: "A judge could not grade", turn: "A turn failed", timeout: "It took too long", load: "The file did not load", host: "The host failed", stopped: "It was stopped" });

const severities = table<string>({ gate: "gate", soft: "soft", atLeast: "at least" });
const digits = (n: number): string => String(Math.round(n * 1000) / 1000);

function assertion(a: Assertion): HTMLElement {
  const scored = a.severity !== "gate" || a.threshold !== 1 || (a.score !== 0 && a.score !== 1);
  const miss = a.severity === "gate" ? "failed" : a.severity === "atLeast" ? "scored" : "skipped";
  return h(
    "li",
    { class: "assertion" },
    h("span", { class: `sign v-${a.passed ? "passed" : miss}`, "aria-hidden": "true" }, a.passed ? "✓" : "✗"),
    h(
      "div",
      null,
      h("p", { class: "mono" }, h("span", { class: "sr" }, a.passed ? "held: " : "missed: "), visible(a.name)),
      a.message && h("p", { class: cls("small", !a.passed && miss === "failed" && "bad-text") }, visible(a.message)),
      h("p", { class: "small dim row assertion-facts" }, h("span", { class: "chip" }, severities[a.severity] ?? a.severity), scored && h("span", { class: "num" }, `score ${digits(a.score)} of ${digits(a.threshold)}`), a.turn ? h("span", null, `turn ${a.turn}`) : [], a.judge && h("span", null, `judged by ${visible(a.judge)}`), a.place && h("span", { class: "mono" }, visible(a.place))),
    ),
  );
}

const callTones = table<string>({ completed: "good", failed: "bad", pending: "warn", rejected: "warn" });

function call(c: ToolCall): HTMLElement {
  const tone = callTones[c.status] ?? "";
  return h("li", { class: cls("call", c.parentCallId && "eval-inner") }, folding({
    summary: [h("span", { class: "call-name" }, visible(c.name)), h("span", { class: "call-what mono" }, visible(JSON.stringify(c.input ?? {}).slice(0, 200))), c.stubbed && h("span", { class: "chip accent" }, "stubbed"), h("span", { class: `chip ${tone}` }, c.status)],
    body: () => h("div", { class: "call-in" }, h("p", { class: "small dim" }, [`turn ${c.turn}`, c.parentCallId && "by a subagent"].filter(Boolean).join(" · ")), value("Input", () => pretty(c.input)), c.output !== null && value("Output", () => pretty(c.output))),
  }));
}

function figures(r: Result): HTMLElement {
  const m = r.metrics, u = m.usage, judge = tokens(m.judgeUsage);
  const all: [string, string][] = [
    ["Duration", duration(r.durationMs)], ["Turns", count(m.turns)], ["Model requests", count(m.steps)], ["Tool calls", count(m.toolCalls)],
    ["Tokens", `${count(spentTokens(m))} (${count(u.inputTokens)} in, ${count(u.cacheReadTokens)} cached, ${count(u.outputTokens)} out)`],
    ["Cost", m.costUsd === null ? "the price is not known" : money(m.costUsd)],
  ];
  if (m.judgeCalls > 0) all.push(["Judges", [`${count(m.judgeCalls)} requests`, `${count(judge)} tokens`, m.judgeCostUsd !== null && money(m.judgeCostUsd)].filter(Boolean).join(", ")]);
  if (r.iterations > 1) all.push(["Iteration", `${r.iteration} of ${r.iterations}`]);
  all.push(["File", visible(r.file)]);
  if (r.tags.length > 0) all.push(["Tags", visible(r.tags.join(", "))]);
  for (const [k, v] of Object.entries(r.metadata ?? {})) all.push([visible(k), pretty(v)]);
  return h("dl", { class: "pairs" }, all.map(([k, v]) => [h("dt", null, k), h("dd", { class: "num" }, v)]));
}
