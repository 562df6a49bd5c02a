// One run: its results, each in full, and what changed since another.
import { type Child, cls, computed, h, signal, type Signal } from "../../dom.js";
import { count, duration, money, visible } from "../../format.js";
import { asked, go, to } from "../../router.js";
import { say } from "../../shell.js";
import { askHost, host } from "../../api.js";
import { copy } from "../chat/value.js";
import { changes } from "./changes.js";
import { command } from "./command.js";
import { cancel, follow, type Followed } from "./follow.js";
import { progress } from "./live.js";
import { detail } from "./result.js";
import { results } from "./results.js";
import { find, selectionOf, spentTokens, tones } from "./sums.js";
import type { Run } from "./types.js";

export interface Page {
  f: Followed;
  /** The case that is shown in full; empty: none. */
  chosen: Signal<string>;
  /** The run that this one is compared with; empty: none. */
  other: Signal<string>;
  choose(id: string): void;
}

export function run(id: string, query: URLSearchParams): Child {
  const f = follow(id), chosen = signal(query.get("case") ?? ""), other = signal(query.get("with") ?? "");
  const tell = () => go(to("evals", id, { ...(other.peek() && { with: other.peek() }), ...(chosen.peek() && { case: chosen.peek() }) }), true);
  asked("evals", id, (q) => {
    chosen.set(q.get("case") ?? "");
    other.set(q.get("with") ?? "");
  });
  const page: Page = { f, chosen, other, choose: (c) => (chosen.set(c), tell()) };
  const there = computed(() => f.run() !== undefined);
  const body = () => {
    if (f.failed() !== "") return h("p", { class: "empty", role: "alert" }, f.failed(), " ", h("a", { href: to("evals") }, "All runs"));
    if (!there()) return h("p", { class: "empty", role: "status" }, "Reading the run …");
    return [
      head(page, (o) => (other.set(o), tell())),
      h("div", { class: "eval-main" }, () => (other() === "" ? results(page) : changes(page, other())), () => shown(page)),
    ];
  };
  return h("div", { class: () => cls("eval-run", chosen() !== "" && "with-case") }, body);
}

function head(p: Page, compare: (other: string) => void): HTMLElement {
  const r = () => p.f.run()!, going = computed(() => r().status === "running");
  const again = () => askHost("POST", "/v1/dev/evals/runs", { ...(r().filterIds.length > 0 && { filterIds: r().filterIds }), ...(r().tags.length > 0 && { tags: r().tags }), verbose: whole(r()) }).then((a) => go(to("evals", a.run.runId)), say);
  return h(
    "header",
    { class: "eval-head stack" },
    h(
      "div",
      { class: "row" },
      h("nav", { class: "view-above", "aria-label": "Back" }, h("a", { href: to("evals") }, "Evals"), h("span", { class: "dim", "aria-hidden": "true" }, " /")),
      h("h1", { class: "eval-title" }, () => new Date(r().startedAt).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" })),
      h("span", { class: () => cls("chip", tones[r().status], going() && "live") }, () => r().status),
      h("span", { class: "small dim mono" }, r().runId),
      h("span", { class: "grow" }),
      against(p, compare),
      copy(() => command(host, selectionOf(r()), whole(r())), "Copy command"),
      () => (going() ? h("button", { type: "button", class: "bad", onclick: () => void cancel(r().runId).catch(say) }, "Cancel") : h("button", { type: "button", onclick: () => void again() }, "Run again")),
    ),
    progress(p.f, bill),
  );
}

/** Says whether a run kept its results whole. */
export const whole = (r: Run): boolean => !r.results?.length || r.results.some((x) => x.inputs.length > 0 || x.finalText !== "" || x.toolCalls.length > 0);

function bill(r: Run): string {
  const t = r.totals, judge = spentTokens({ usage: t.judgeUsage });
  return [
    r.model && `model ${visible(r.model)}`,
    `${count(t.steps)} model requests`,
    t.costUsd === null && "a price is not known",
    t.judgeCalls > 0 && `judges: ${count(t.judgeCalls)} requests, ${count(judge)} tokens${t.judgeCostUsd === null ? "" : `, ${money(t.judgeCostUsd)}`}`,
    !whole(r) && "texts, calls and what held were not kept",
  ].filter(Boolean).join(" · ");
}

function against(p: Page, compare: (other: string) => void): HTMLElement {
  const all = signal<Run[]>([]);
  askHost("GET", "/v1/dev/evals/runs").then((r) => all.set(r.runs), say);
  const id = p.f.run.peek()!.runId;
  const others = () => all().filter((r) => r.runId !== id);
  return h(
    "label",
    { class: "row" },
    h("span", { class: "small dim" }, "Compare with"),
    h("select", { onchange: (e: any) => compare(e.target.value) }, h("option", { value: "" }, "nothing"), () => others().map((r) => h("option", { value: r.runId, selected: r.runId === p.other() }, `${new Date(r.startedAt).toLocaleString(undefined, { dateStyle: "short", timeStyle: "short" })}, ${r.totals.passed}/${r.totals.cases}`))),
  );
}

function shown(p: Page): Child {
  const id = p.chosen();
  if (id === "") return [];
  const r = computed(() => find(p.f.run()?.results ?? [], id));
  return h(
    "aside",
    { class: "eval-pane", "aria-label": "The case", onkeydown: (e: KeyboardEvent) => e.key === "Escape" && p.choose("") },
    h("button", { type: "button", class: "plain small eval-close", onclick: () => p.choose("") }, "Close"),
    () => { const x = r(); return x ? detail(x) : h("p", { class: "empty" }, p.f.run()?.running.includes(id) ? "This case is under way." : "This run has no result of this case."); },
    h("p", { class: "sr", role: "status" }, () => { const x = r(); return x ? `${x.id} ${x.verdict}, ${duration(x.durationMs)}` : ""; }),
  );
}
