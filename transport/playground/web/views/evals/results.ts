// The results of a run, a line each, filtered by verdict and words.
import { type Child, cls, computed, effect, flip, h, type Signal, signal } from "../../dom.js";
import { count, duration, money, visible } from "../../format.js";
import { list } from "../../list.js";
import type { Page } from "./run.js";
import { shownResults, signs, spentTokens, verdicts, why } from "./sums.js";
import type { Result, Verdict } from "./types.js";

export function results(p: Page): Child {
  const only = signal<ReadonlySet<Verdict>>(new Set()), words = signal("");
  const all = computed(() => p.f.run()?.results ?? []), shown = computed(() => shownResults(all(), only(), words()));
  const l = picker<Result>(p, shown, (r) => r.id, line, "Results");
  return h(
    "section",
    { class: "eval-list", "aria-label": "Results" },
    h(
      "div",
      { class: "row eval-filter" },
      h("div", { class: "row evals-tags", role: "group", "aria-label": "Verdicts" }, verdicts.map((v) => toggle(v, () => all().filter((r) => r.verdict === v).length, only))),
      h("input", { type: "search", class: "grow", "aria-label": "Filter the results", placeholder: "Filter by id, tag or words", spellcheck: "false", oninput: (e: any) => words.set(e.target.value) }),
    ),
    l,
    () => (shown().length === 0 ? h("p", { class: "empty" }, all().length > 0 ? "No result fits the filter." : p.f.run()?.status === "running" ? "No case has ended yet." : "The run has no results.") : []),
  );
}

function toggle(v: Verdict, n: () => number, only: Signal<ReadonlySet<Verdict>>): HTMLElement {
  return h("button", { type: "button", class: "tag", disabled: () => n() === 0 && !only().has(v), "aria-pressed": () => String(only().has(v)), onclick: () => flip(only, v) }, h("span", { class: `v-${v}`, "aria-hidden": "true" }, signs[v]), ` ${v} `, h("span", { class: "dim num" }, () => count(n())));
}

/** A list of rows of which one is shown in full: arrows move, Enter opens. */
export function picker<T>(p: Page, items: () => T[], key: (x: T) => string, line: (x: () => T, chosen: () => boolean, open: () => void, id: string) => HTMLElement, label: string): HTMLElement {
  const at = signal(p.chosen.peek()), rowId = (k: string) => `result-${encodeURIComponent(k)}`;
  effect(() => {
    const c = p.chosen(), all = items();
    const hit = all.find((x) => key(x) === c) ?? all.find((x) => c.startsWith(key(x) + "/") || key(x).startsWith(c + "/"));
    if (c !== "") at.set(hit === undefined ? c : key(hit));
  });
  const press = (e: KeyboardEvent) => {
    const all = items(), i = all.findIndex((x) => key(x) === at.peek());
    const step = ({ ArrowDown: 1, ArrowUp: -1, PageDown: l.fit(), PageUp: -l.fit(), Home: -all.length, End: all.length } as Record<string, number>)[e.key];
    if (e.ctrlKey || e.metaKey || e.altKey || all.length === 0) return;
    if (step !== undefined) {
      const next = key(all[Math.max(0, Math.min(all.length - 1, i < 0 ? 0 : i + step))]);
      at.set(next);
      l.reveal(next);
      if (p.chosen.peek() !== "") p.choose(next);
    } else if (e.key === "Enter" && i >= 0) p.choose(at.peek());
    else if (e.key === "Escape" && p.chosen.peek() !== "") p.choose("");
    else return;
    e.preventDefault();
  };
  const l = list<T>({
    items,
    key,
    render: (x) => { const k = key(x()); return line(x, () => at() === k, () => (at.set(k), p.choose(k)), rowId(k)); },
    props: { class: "eval-rows", role: "listbox", tabindex: "0", "aria-label": `${label}: arrows move, Enter opens`, "aria-activedescendant": () => at() !== "" && rowId(at()), onkeydown: press, hidden: () => items().length === 0 },
  });
  if (at.peek() !== "") requestAnimationFrame(() => l.reveal(at.peek(), "middle"));
  return l.box;
}

function line(r: () => Result, chosen: () => boolean, open: () => void, id: string): HTMLElement {
  const x = () => r(), tokens = () => spentTokens(x().metrics);
  return h(
    "div",
    { id, class: () => cls("result", chosen() && "at"), role: "option", "aria-selected": () => String(chosen()), onclick: open },
    h("span", { class: () => `sign v-${x().verdict}`, "aria-hidden": "true" }, () => signs[x().verdict]),
    h("span", { class: "sr" }, () => x().verdict),
    h("span", { class: "result-id" }, visible(x().id)),
    h("span", { class: () => cls("result-why", x().verdict === "failed" && "bad-text") }, () => visible(why(x()).slice(0, 300))),
    h("span", { class: "result-num num" }, () => duration(x().durationMs)),
    h("span", { class: "result-num num result-more" }, () => (tokens() > 0 ? `${count(tokens())} tok` : "")),
    h("span", { class: "result-num num result-more" }, () => (x().metrics.costUsd ? money(x().metrics.costUsd) : "")),
  );
}
