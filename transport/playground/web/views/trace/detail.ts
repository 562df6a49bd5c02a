// What is known of the span that is chosen.
import { type Child, computed, each, h, untracked } from "../../dom.js";
import { count, duration, money, tokens, type Usage, visible } from "../../format.js";
import { to } from "../../router.js";
import { table } from "../../table.js";
import { value } from "../chat/value.js";
import { icon } from "./icons.js";
import type { Model } from "./model.js";
import { took, used } from "./rows.js";
import { type Span, standing } from "./spans.js";
import { kindOf, stateOf } from "./words.js";

const when = (ms: number): string => new Date(ms).toLocaleString(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit" });

const tones = table<string>({ done: "good", failed: "bad", denied: "bad", lost: "warn", waiting: "warn", open: "accent" });

export function detail(m: Model): Child {
  const key = computed(() => m.span()?.key);
  return () => (key() === undefined ? h("p", { class: "dim" }, "Choose a row to see what is known of it.") : untracked(() => about(m)));
}

// about follows a span through a session that goes on: what a person opened in it stays.
function about(m: Model): Child {
  let kept = m.span()!;
  const s = () => (m.log.version(), (kept = m.span() ?? kept)), last = computed(() => `${s().last} ${standing(s())}`);
  const known = (f: (s: Span) => Child) => () => (last(), untracked(() => f(s())));
  return [
    h("div", { class: "row" }, h("span", { class: `kind-dot kind-${kept.kind}`, "aria-hidden": "true" }), h("span", { class: "dim small" }, kindOf(kept)), known((s) => chips(m, s))),
    h("h2", { class: "pane-title" }, () => visible(s().name)),
    known((s) => facts(m, s)),
    () => usage(used(s())),
    known((s) => s.facts.error && h("div", { class: "bad-text" }, value("Error", () => s.facts.error!))),
    each(() => texts(s()), (t) => t.key, (t) => value(untracked(t).name, () => shown(t().text))),
  ];
}

const chips = (m: Model, s: Span): Child => [h("span", { class: `chip ${tones[standing(s)] ?? ""}` }, stateOf(s)), s.facts.stubbed && h("span", { class: "chip" }, "stubbed"), s.status === "waiting" && h("a", { class: "small", href: to("chat", m.id) }, "Decide in the chat")];

const shown = (x: unknown): string => (typeof x === "string" ? x : JSON.stringify(x, null, 2));

/** What is known of a span at length. */
function texts(s: Span): { key: string; name: string; text: unknown }[] {
  const f = s.facts, said = s.kind === "step" ? s.children.map((c): [string, unknown] => [c.kind === "text" ? "Reply" : "Reasoning", c.facts.text]) : [];
  const all: [string, unknown][] = [
    ["What it mends", f.repair], ["Task", f.task], ["Arguments", f.task === undefined ? f.args : undefined],
    ["Output", f.error === undefined ? f.output : undefined], [s.kind === "turn" ? "Message" : "Text", f.text], ...said, ["Result", f.result],
  ];
  return all.filter(([, x]) => x !== undefined && x !== "").map(([name, text], i) => ({ key: `${i} ${name}`, name, text }));
}

/** What stays while one span after the other is looked at: the way to the rows beside it, for
 *  those without arrow keys too, and to the session as it was. */
export function steps(m: Model): Child {
  const near = (by: number) => m.rows()[m.rows().findIndex((r) => r.span.key === m.chosen()) + by]?.span.key;
  const beside = (label: string, sign: "up" | "open", by: number) => h("button", { type: "button", class: "square", "aria-label": label, title: label, disabled: () => near(by) === undefined, onclick: () => m.chosen.set(near(by)) }, icon(sign));
  const here = () => m.span()?.last, there = () => m.at() !== undefined && m.at() === here();
  return [
    beside("Row before", "up", -1),
    beside("Row after", "open", 1),
    h("button", { type: "button", "aria-pressed": () => String(there()), title: "Shows the session as it was at this span's last event, from which it can be forked", disabled: () => here() === undefined, onclick: () => m.at.set(there() ? undefined : here()) }, "Look from here"),
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
    s.kind !== "wait" && took(s, Infinity).waited > 0 && ["Worked", () => duration(took(s, m.now()).all - took(s, m.now()).waited)],
    s.kind === "step" && s.began !== undefined && ["First piece", `after ${duration(s.began - s.from)}`],
    f.model && ["Model", visible(f.model)],
    f.attempt !== undefined && ["Attempt", f.attempt],
    f.finish && ["Finished by", visible(f.finish)],
    f.effect && ["Effect", visible(f.effect)],
    f.from && ["From", visible(f.from)],
    f.decision && ["Decision", visible(f.decision)],
    f.by && ["By", visible(f.by)],
    f.reason && ["Reason", visible(f.reason)],
    f.code && ["Code", h("code", null, visible(f.code))],
    s.cost && ["Cost", money(s.cost.totalUsd)],
    f.callId && ["Call", h("code", null, visible(f.callId))],
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
