// The runs that the host remembers, newest first.
import { type Child, cls, computed, each, h } from "../../dom.js";
import { ago, count, money, visible } from "../../format.js";
import { nothing } from "../../frame.js";
import { to } from "../../router.js";
import { counts, meter } from "./live.js";
import type { Model } from "./model.js";
import { passed, selected, selectionOf, spentTokens, tones } from "./sums.js";
import type { Run } from "./types.js";

export function history(m: Model): Child {
  const runs = () => {
    const live = m.now()?.run(), all = m.history();
    if (!all || !live) return all;
    return all.some((r) => r.runId === live.runId) ? all.map((r) => (r.runId === live.runId ? live : r)) : [live, ...all];
  };
  const all = computed(runs), none = computed(() => all()?.length === 0), known = computed(() => all() !== undefined);
  const body = () => {
    if (!known()) return h("p", { class: "dim" }, "…");
    if (none()) return h("div", { class: "card" }, nothing("Nothing was run yet.", "Run all cases, or choose some: how it goes is shown here.", ["evals", "About evals"]));
    return h("ul", { class: "card evals-history" }, each(() => all() ?? [], (r) => r.runId, line));
  };
  return h(
    "section",
    { class: "stack", "aria-label": "History" },
    h("div", { class: "row" }, h("h2", null, "History"), h("span", { class: "dim small" }, () => (m.listing()?.config ? `the last ${m.listing()!.config!.maxPlaygroundRuns} runs are kept` : ""))),
    body,
  );
}

function line(r: () => Run): HTMLElement {
  const facts = () => {
    const { totals, durationMs, by, status } = r(), tokens = spentTokens(totals), cost = totals.costUsd;
    return [passed(durationMs, status === "running"), tokens > 0 && `${count(tokens)} tokens`, cost === null ? "price unknown" : cost > 0 && money(cost), by && visible(by.id)].filter(Boolean).join(" · ");
  };
  return h(
    "li",
    null,
    h(
      "a",
      { href: to("evals", r().runId), class: "past" },
      h("span", { class: "past-when" }, () => ago(r().startedAt)),
      h("span", { class: () => cls("chip", tones[r().status], r().status === "running" && "live") }, () => r().status),
      h("span", { class: "past-what" }, () => visible(selected(selectionOf(r()), 2))),
      h("span", { class: "past-bar" }, meter(() => r().totals)),
      h("span", { class: "row small past-counts" }, () => counts(r().totals)),
      h("span", { class: "small dim num past-facts" }, facts),
    ),
  );
}
