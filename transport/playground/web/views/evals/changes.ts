// What changed since another run: verdicts, tokens and cost side by side.
import { type Child, cls, computed, h, signal } from "../../dom.js";
import { count, duration, money, visible } from "../../format.js";
import { type Change, compare, more, type Pair, type Side } from "./compare.js";
import { follow } from "./follow.js";
import { picker } from "./results.js";
import type { Page } from "./run.js";
import { signs, spentTokens } from "./sums.js";
import type { Run } from "./types.js";

const tones: Record<Change, string> = { worse: "bad", better: "good", changed: "warn", same: "", added: "accent", removed: "accent" };

export function changes(p: Page, other: string): Child {
  const f = follow(other), all = signal(false);
  const both = computed(() => { const [a, b] = [f.run(), p.f.run()]; return a && b ? { before: a, after: b, ...compare(a, b) } : undefined; });
  const shown = computed(() => (both()?.pairs ?? []).filter((x) => all() || x.change !== "same"));
  return h(
    "section",
    { class: "eval-list", "aria-label": "What changed" },
    () => (f.failed() !== "" ? h("p", { class: "empty", role: "alert" }, f.failed()) : []),
    h("div", { class: "row eval-filter" }, () => { const b = both(); return b ? sums(b.before, b.after, b.counts) : h("span", { class: "dim" }, "…"); }, h("span", { class: "grow" }), h("label", { class: "check small" }, h("input", { type: "checkbox", onchange: (e: any) => all.set(e.target.checked) }), "Those that stayed the same, too")),
    picker<Pair>(p, shown, (x) => x.id, line, "Changes"),
    () => (both() && shown().length === 0 ? h("p", { class: "empty" }, "No case came out differently.") : []),
  );
}

function sums(before: Run, after: Run, counts: Record<Change, number>): Child {
  const t = [spentTokens(before.totals), spentTokens(after.totals)], usd = [before.totals.costUsd, after.totals.costUsd];
  return h(
    "p",
    { class: "row small num" },
    (Object.keys(counts) as Change[]).filter((c) => counts[c] > 0).map((c) => h("span", { class: `chip ${tones[c]}` }, `${counts[c]} ${c}`)),
    h("span", null, h("span", { class: "dim" }, "tokens "), beside(count(t[0]), count(t[1]), more(t[0], t[1]))),
    h("span", null, h("span", { class: "dim" }, "cost "), beside(price(usd[0]), price(usd[1]), more(usd[0], usd[1]))),
    h("span", null, h("span", { class: "dim" }, "time "), beside(duration(before.durationMs), duration(after.durationMs), more(before.durationMs, after.durationMs))),
  );
}

const price = (usd: number | null | undefined): string => (usd === undefined ? "–" : usd === null ? "?" : money(usd));
const beside = (a: string, b: string, d: string): string => `${a} → ${b}${d === "" ? "" : ` (${d})`}`;

function line(x: () => Pair, chosen: () => boolean, open: () => void, id: string): HTMLElement {
  const of = () => x().before, now = () => x().after, one = (s?: Side): Child => (s ? h("span", { class: `v-${s.verdict}` }, `${signs[s.verdict]} ${s.verdict}${s.iterations > 1 ? ` ${s.passed}/${s.iterations}` : ""}`) : h("span", { class: "dim" }, "–"));
  return h(
    "div",
    { id, class: () => cls("result pair", chosen() && "at"), role: "option", "aria-selected": () => String(chosen()), onclick: open },
    h("span", { class: () => `chip ${tones[x().change]}` }, () => x().change),
    h("span", { class: "result-id" }, visible(x().id)),
    h("span", { class: "pair-verdicts small" }, () => [one(of()), h("span", { class: "dim" }, " → "), one(now())]),
    h("span", { class: "result-num num result-more" }, () => beside(count(of()?.tokens ?? 0), count(now()?.tokens ?? 0), more(of()?.tokens, now()?.tokens))),
    h("span", { class: "result-num num result-more" }, () => beside(price(of()?.usd), price(now()?.usd), more(of()?.usd, now()?.usd))),
  );
}
