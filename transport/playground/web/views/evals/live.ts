// A run while it goes, and the newest one after it.
import { type Child, cls, computed, each, h, signal, effect, cleanup } from "../../dom.js";
import { ago, count, money, plural, visible } from "../../format.js";
import { to } from "../../router.js";
import type { Followed } from "./follow.js";
import type { Model } from "./model.js";
import { passed, selected, selectionOf, spentTokens, told, tones, verdicts } from "./sums.js";
import type { Run, Totals } from "./types.js";

export function live(m: Model): Child {
  const one = computed(() => (m.now()?.run() ? m.now() : undefined));
  return () => { const f = one(); return f ? panel(m, f) : []; };
}

function panel(m: Model, f: Followed): HTMLElement {
  const r = () => f.run()!, going = computed(() => r().status === "running");
  return h(
    "section",
    { class: () => cls("card stack evals-live", going() && "going"), "aria-label": "The newest run" },
    () => m.note() !== "" && h("p", { class: "note-warn", role: "alert" }, m.note()),
    h(
      "div",
      { class: "row" },
      h("h2", null, () => (going() ? "Under way" : "Last run")),
      h("span", { class: () => cls("chip", tones[r().status], going() && "live") }, () => r().status),
      h("span", { class: "dim small" }, () => (going() ? "" : ago(r().startedAt))),
      h("span", { class: "grow" }),
      () => (going() ? h("button", { type: "button", class: "bad", onclick: () => void m.stop() }, "Cancel") : []),
      h("a", { class: "button", href: () => to("evals", r().runId) }, "Open"),
    ),
    progress(f),
  );
}

/** The bar, the counts and what is under way, with words for those who cannot see it. */
export function progress(f: Followed, more: (r: Run) => string = () => ""): HTMLElement {
  const r = () => f.run()!, t = (): Totals => r().totals;
  return h(
    "div",
    { class: "stack" },
    meter(t, () => r().status === "running"),
    h("div", { class: "row small evals-counts" }, () => counts(t())),
    () => (f.lost() ? h("p", { class: "small bad-text", role: "alert" }, "The host does not answer; the page asks again.") : []),
    () => r().error ? h("p", { class: "small bad-text" }, visible(r().error!)) : [],
    underWay(r),
    h("p", { class: "small dim num evals-line" }, () => [time(f), facts(r()), more(r())].filter(Boolean).join(" · ")),
    h("p", { class: "sr", role: "status", "aria-live": "polite" }, slowly(() => told(r()), () => r().status !== "running")),
  );
}

function underWay(r: () => Run): Child {
  const most = 6, some = () => (r().status === "running" ? r().running.slice(0, most) : []);
  return h("ul", { class: "evals-running small", "aria-label": "Cases that are under way", hidden: () => some().length === 0 }, each(some, (id) => id, (id) => h("li", { class: "mono" }, visible(id()))), () => (r().running.length > most ? h("li", { class: "dim" }, `and ${r().running.length - most} more`) : []));
}

const time = (f: Followed): string => passed(f.elapsed(), f.run()!.status === "running");

function facts(r: Run): string {
  const tokens = spentTokens(r.totals);
  return [visible(selected(selectionOf(r))), r.by && `by ${visible(r.by.id)}`, tokens > 0 && `${count(tokens)} tokens`, r.totals.costUsd !== null && r.totals.costUsd > 0 && money(r.totals.costUsd)].filter(Boolean).join(" · ");
}

/** The counts that are not none, in words. */
export function counts(t: Totals): Child {
  return [h("b", { class: "num" }, t.done === t.cases ? plural(t.cases, "case") : `${t.done} of ${t.cases}`), verdicts.filter((v) => t[v] > 0).map((v) => h("span", { class: `num v-${v}` }, `${t[v]} ${v}`))];
}

/** A bar whose parts are the verdicts. */
export function meter(t: () => Totals, going: () => boolean = () => false): HTMLElement {
  return h(
    "div",
    { class: () => cls("verdicts", going() && "going"), role: "progressbar", "aria-label": "Cases that have ended", "aria-valuemin": "0", "aria-valuemax": () => t().cases, "aria-valuenow": () => t().done, "aria-valuetext": () => `${t().done} of ${t().cases}` },
    ["passed", "scored", "failed", "skipped"].map((v) => h("span", { class: `part v-${v}`, style: () => `width:${(100 * t()[v as "passed"]) / Math.max(1, t().cases)}%` })),
  );
}

// slowly says no more than one thing in five seconds, but the last at once.
function slowly(f: () => string, last: () => boolean): () => string {
  const said = signal(""), every = 5000;
  let at = 0, timer = 0;
  effect(() => {
    const text = f(), wait = last() ? 0 : Math.max(0, at + every - Date.now());
    clearTimeout(timer);
    timer = window.setTimeout(() => ((at = Date.now()), said.set(text)), wait);
  });
  cleanup(() => clearTimeout(timer));
  return said;
}
