// The line above the waterfall: how long, how much, what failed.
import { type Child, computed, h } from "../../dom.js";
import { count, duration, money, plural, plus, tokens, type Usage } from "../../format.js";
import type { Model } from "./model.js";
import { to } from "../../router.js";
import { took, used } from "./rows.js";
import type { Span } from "./spans.js";

const failures = (s: Span): number => s.children.reduce((n, c) => n + failures(c), s.status === "failed" && s.kind !== "turn" ? 1 : 0);

/** What a turn amounts to; of one that ended it is counted once. */
interface Sum {
  all: number;
  waited: number;
  failed: number;
  usage?: Usage;
}
const ended = new WeakMap<Span, Sum>();

function sum(turn: Span, now: number): Sum {
  const kept = ended.get(turn);
  if (kept) return kept;
  const made = { ...took(turn, now), failed: failures(turn), usage: used(turn) };
  if (turn.to !== undefined) ended.set(turn, made);
  return made;
}

const none: Sum = { all: 0, waited: 0, failed: 0 };
const together = (a: Sum, b: Sum): Sum => ({ all: a.all + b.all, waited: a.waited + b.waited, failed: a.failed + b.failed, usage: b.usage ? (a.usage ? plus(a.usage, b.usage) : b.usage) : a.usage });

/** The line; what can be pressed in it stays while the figures change. */
export function sums(m: Model): HTMLElement {
  const turns = computed(() => (m.log.version(), [...m.trace().turns.values()].filter((t) => (m.turn() === "" ? !t.copied : t.turnId === m.turn()))));
  const total = computed(() => turns().map((t) => sum(t, m.now())).reduce(together, none));
  const failed = computed(() => total().failed), waits = computed(() => (m.log.version(), m.at() === undefined && [...m.trace().open].some((s) => s.kind === "wait" && s.status === "waiting")));
  return h(
    "p",
    { class: "row small num trace-sums", hidden: () => turns().length === 0 },
    () => figures(m, turns(), total()),
    () => waits() && h("a", { class: "trace-decide", href: to("chat", m.id) }, "Decide in the chat"),
    () => failed() > 0 && h("button", { type: "button", class: "plain small bad-text", title: "Show what failed", "aria-pressed": () => String(m.words() === "failed"), onclick: () => m.words.set(m.words() === "failed" ? "" : "failed") }, plural(failed(), "failure")),
  );
}

function figures(m: Model, turns: Span[], s: Sum): Child {
  const cost = turns.reduce<number | undefined>((usd, t) => (t.cost ? (usd ?? 0) + t.cost.totalUsd : usd), undefined);
  return [
    m.at() !== undefined && h("span", { class: "chip warn" }, `at event ${m.at()}`),
    h("span", { title: "Without what was waited for" }, duration(s.all - s.waited)),
    s.waited >= 1000 && h("span", { class: "dim" }, `waited ${duration(s.waited)}`),
    s.usage && h("span", { class: "dim sum-tokens" }, `${count(tokens(s.usage))} tokens`),
    cost !== undefined && h("span", { class: "dim" }, money(cost)),
  ];
}
