// The runs of evals; the view of evals shows one.
import { ApiError, askHost } from "../../api.js";
import { type Child, cls, computed, h, signal, untracked } from "../../dom.js";
import { ago, count, duration, plural, visible } from "../../format.js";
import { list } from "../../list.js";
import { poll } from "../../poll.js";
import { asked, go, to } from "../../router.js";
import { filling, nothing } from "../../frame.js";
import { tones } from "../evals/sums.js";
import { runKinds } from "./kinds.js";
import { fits } from "./pages.js";

export function evalRuns(query: URLSearchParams): Child {
  const all = signal<any[] | undefined>(undefined), words = signal(query.get("q") ?? ""), fault = signal("");
  poll(async () => {
    try {
      all.set((await askHost("GET", "/v1/dev/evals/runs?limit=1000")).runs);
      fault.set("");
    } catch (e) {
      if (!all.peek()) fault.set(e instanceof ApiError && e.status === 404 ? "This agent has no evals: they are files in the project's folder evals." : (e as Error).message);
    }
  }, 5000);
  const shown = computed(() => (all() ?? []).filter((r) => fits(r, words())));
  const search = (q: string) => {
    words.set(q);
    go(to("runs", "evals", q.trim() ? { q: q.trim() } : {}), true);
  };
  const told = signal({ q: words.peek() });
  asked("runs", "evals", (q) => {
    const w = q.get("q")?.trim() ?? "";
    if (w !== words.peek().trim()) (told.set({ q: w }), search(w));
  });
  const columns = ["Run", "Status", "Cases", "Passed", "Failed", "Took", "Started"];
  const l = list<any>({
    items: shown,
    key: (r) => r.runId,
    render: row,
    head: h("div", { class: "run run-evals run-head small", role: "row", "aria-rowindex": 1 }, columns.map((c, i) => h("span", { role: "columnheader", class: cls(i > 1 && "num-col") }, c))),
    props: { class: "runs-list", role: "table", tabindex: "0", "aria-label": "Eval runs" },
  });
  const filter = h("input", { type: "search", "aria-label": "Search runs by id, case or tag", placeholder: "Search ids, cases and tags", spellcheck: "false", value: () => told().q, oninput: (e: Event) => search((e.target as HTMLInputElement).value) });
  return filling("runs", { title: "Runs", tools: [runKinds("evals"), filter] }, l.box, foot(all, shown, fault));
}

function foot(all: () => any[] | undefined, shown: () => any[], fault: () => string): Child {
  const said = computed(() => plural(shown().length, "run"));
  const state = computed(() => {
    if (shown().length > 0) return "some";
    if (fault()) return "fault";
    return !all() ? "reading" : all()!.length === 0 ? "none" : "unfit";
  });
  return () => {
    if (state() === "fault") return nothing(fault(), "", ["evals", "How to write one"]);
    if (state() === "reading") return h("p", { class: "runs-foot small dim" }, "…");
    if (state() === "none") return nothing("There are no runs yet.", ["Start one in ", h("a", { href: to("evals") }, "Evals"), "."], ["evals", "About evals"]);
    if (state() === "unfit") return nothing("No run fits.", "Ids, cases and tags are searched.");
    return h("p", { class: "runs-foot small dim", role: "status" }, said);
  };
}

function row(r: () => any, nth: () => number): HTMLElement {
  const id = untracked(r).runId as string, total = (name: string) => [() => count(r().totals?.[name] ?? 0), h("span", { class: "narrow-only" }, ` ${name}`)];
  const of = () => [...(r().filterIds ?? []), ...(r().tags ?? []).map((t: string) => "#" + t)].join(", ");
  return h(
    "div",
    { class: "run run-evals", role: "row", "aria-rowindex": nth },
    h("div", { class: "run-name", role: "rowheader" }, h("a", { class: "mono", href: to("evals", id) }, visible(id)), h("span", { class: "small dim" }, () => visible(r().error || of() || "all cases"))),
    h("div", { role: "cell", class: "run-status" }, () => h("span", { class: cls("chip", tones[r().status]) }, visible(r().status))),
    h("div", { role: "cell", class: "num num-col wide-only" }, total("cases")),
    h("div", { role: "cell", class: "num num-col" }, total("passed")),
    h("div", { role: "cell", class: () => cls("num num-col", r().totals?.failed > 0 && "bad-text") }, total("failed")),
    h("div", { role: "cell", class: "num num-col dim wide-only" }, () => duration(r().durationMs)),
    h("div", { role: "cell", class: "num num-col dim small run-ago" }, () => ago(r().startedAt)),
  );
}
