// The line above the waterfall: how long, how much, what failed.
import { type Child, h } from "../../dom.js";
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

export function sums(m: Model): Child {
  const turns = [...m.trace().turns.values()].filter((t) => (m.turn() === "" ? !t.copied : t.turnId === m.turn()));
  if (turns.length === 0) return [];
  const all = turns.map((t) => sum(t, m.now())), total = (f: (s: Sum) => number) => all.reduce((n, s) => n + f(s), 0);
  const waited = total((s) => s.waited), failed = total((s) => s.failed);
  const usage = all.reduce<Usage | undefined>((u, s) => (s.usage ? plus(u, s.usage) : u), undefined);
  const cost = turns.reduce<number | undefined>((usd, t) => (t.cost ? (usd ?? 0) + t.cost.totalUsd : usd), undefined);
  return h(
    "p",
    { class: "row small num trace-sums" },
    m.at() !== undefined && h("span", { class: "chip warn" }, `at event ${m.at()}`),
    h("span", { title: "Without what was waited for" }, duration(total((s) => s.all) - waited)),
    waited >= 1000 && h("span", { class: "dim" }, `waited ${duration(waited)}`),
    usage && h("span", { class: "dim sum-tokens" }, `${count(tokens(usage))} tokens`),
    cost !== undefined && h("span", { class: "dim" }, money(cost)),
    m.at() === undefined && [...m.trace().open].some((s) => s.kind === "wait" && s.status === "waiting") && h("a", { class: "trace-decide", href: to("chat", m.id) }, "Decide in the chat"),
    failed > 0 && h("button", { type: "button", class: "plain small bad-text", title: "Show what failed", "aria-pressed": String(m.words() === "failed"), onclick: () => m.words.set(m.words() === "failed" ? "" : "failed") }, plural(failed, "failure")),
  );
}
