// What is known of the span that is chosen.
import { type Child, h } from "../../dom.js";
import { count, duration, money, pretty, tokens, type Usage, visible } from "../../format.js";
import { to } from "../../router.js";
import { kindOf, stateOf } from "./chart.js";
import type { Model } from "./model.js";
import { took, used } from "./rows.js";
import { type Span, standing } from "./spans.js";

const when = (ms: number): string => new Date(ms).toLocaleString(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });

const tones: Record<string, string> = { done: "good", failed: "bad", denied: "bad", lost: "warn", waiting: "warn", open: "accent" };

export function detail(m: Model): Child {
  const s = m.span();
  m.log.version();
  if (!s) return h("p", { class: "dim" }, "Choose a row to see what is known of it.");
  return [
    h("div", { class: "row" }, h("span", { class: `kind-dot kind-${s.kind}` }), h("span", { class: "dim small" }, kindOf(s)), h("span", { class: `chip ${tones[standing(s)] ?? ""}` }, stateOf(s)), s.facts.stubbed && h("span", { class: "chip" }, "stubbed")),
    h("h2", { class: "pane-title" }, visible(s.name)),
    facts(m, s),
    usage(used(s)),
    s.facts.error && section("Error", h("pre", { class: "bad-text" }, visible(s.facts.error))),
    s.facts.repair && section("What it mends", h("pre", null, visible(s.facts.repair))),
    s.facts.task !== undefined && section("Task", h("pre", null, visible(s.facts.task))),
    s.facts.task === undefined && s.facts.args !== undefined && section("Arguments", h("pre", { tabindex: "0" }, pretty(s.facts.args))),
    s.facts.output !== undefined && s.facts.error === undefined && section("Output", h("pre", { tabindex: "0" }, pretty(s.facts.output))),
    s.facts.text && section(s.kind === "turn" ? "Message" : "Text", h("pre", { tabindex: "0" }, visible(s.facts.text))),
    s.facts.result !== undefined && section("Result", h("pre", { tabindex: "0" }, pretty(s.facts.result))),
  ];
}

export const section = (title: string, ...children: Child[]): HTMLElement => h("section", { class: "pane-part" }, h("h3", null, title), children);

type Fact = [string, Child] | false | undefined | "" | null;

export const pairs = (all: Fact[]): HTMLElement =>
  h("dl", { class: "pairs" }, all.filter((f): f is [string, Child] => Boolean(f)).map(([k, v]) => [h("dt", null, k), h("dd", { class: "num" }, v)]));

function facts(m: Model, s: Span): HTMLElement {
  const f = s.facts;
  return pairs([
    ["Began", when(s.from)],
    s.to !== undefined && s.kind !== "mark" && ["Ended", when(s.to)],
    s.kind !== "mark" && ["Took", () => duration(took(s, m.now()).all)],
    s.kind !== "wait" && took(s, Infinity).waited > 0 && ["Waited", () => duration(took(s, m.now()).waited)],
    s.kind === "step" && s.began !== undefined && ["First piece", `after ${duration(s.began - s.from)}`],
    f.model && ["Model", visible(f.model)],
    f.attempt !== undefined && ["Attempt", f.attempt],
    f.finish && ["Finished by", f.finish],
    f.effect && ["Effect", f.effect],
    f.from && ["From", f.from],
    f.decision && ["Decision", f.decision],
    f.by && ["By", visible(f.by)],
    f.reason && ["Reason", visible(f.reason)],
    f.code && ["Code", h("code", null, f.code)],
    s.cost && ["Cost", money(s.cost.totalUsd)],
    f.callId && ["Call", h("code", null, f.callId)],
    ["Events", indexes(m, s)],
  ]);
}

const indexes = (m: Model, s: Span): Child => {
  const link = (n: number) => h("a", { href: to("raw", m.id, { at: String(n) }), title: "Look at it in Raw" }, `#${n}`);
  return s.first === s.last ? link(s.first) : [link(s.first), " – ", link(s.last)];
};

export function usage(u: Usage | undefined): Child {
  if (!u || tokens(u) === 0) return [];
  const parts: [string, number, string][] = [["Input", u.inputTokens, "in"], ["From cache", u.cacheReadTokens, "cached"], ["Into cache", u.cacheWriteTokens, "stored"], ["Output", u.outputTokens, "out"]];
  return section(
    "Tokens",
    h("div", { class: "stackbar", "aria-hidden": "true" }, parts.filter(([, n]) => n > 0).map(([, n, c]) => h("span", { class: `use-${c}`, style: `flex-grow:${n}` }))),
    h("ul", { class: "legend" }, parts.filter(([, n]) => n > 0).map(([name, n, c]) => h("li", null, h("span", { class: `swatch use-${c}`, "aria-hidden": "true" }), name, " ", h("b", { class: "num" }, count(n)))), u.reasoningTokens ? h("li", { class: "dim" }, `of which ${count(u.reasoningTokens)} reasoning`) : []),
  );
}
