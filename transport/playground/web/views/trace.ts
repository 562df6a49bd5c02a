// The trace of a session: a waterfall that one can look at live or at any index of the log.
import { type Child, cls, computed, effect, h } from "../dom.js";
import { count, duration, money, plus, tokens, visible } from "../format.js";
import { to } from "../router.js";
import type { View } from "../shell.js";
import { head, ofLog } from "./head.js";
import { pick } from "./pick.js";
import { bill } from "./trace/bill.js";
import { chart } from "./trace/chart.js";
import { detail } from "./trace/detail.js";
import { zooms } from "./trace/header.js";
import { icon } from "./trace/icons.js";
import { type Model, model } from "./trace/model.js";
import { used } from "./trace/rows.js";
import { scrubber } from "./trace/scrubber.js";
import { state } from "./trace/state.js";

export const trace: View = { name: "trace", title: "Trace", render: (id, query) => (id === "" ? pick("trace", "Trace") : show(id, query)) };

function show(id: string, query: URLSearchParams): Child {
  const m = model(id, query);
  effect(() => {
    m.turn();
    m.look.set({ a: 0, b: 1 });
  });
  return h(
    "div",
    { class: () => cls("trace", m.pane() !== "" && "with-pane") },
    head(ofLog(id, m.log)),
    toolbar(m),
    h("div", { class: "trace-main" }, () => (m.log.failed() ? h("p", { class: "empty", role: "alert" }, m.log.failed()!.message) : chart(m)), () => pane(m)),
    scrubber(m),
  );
}

function toolbar(m: Model): HTMLElement {
  const options = () => m.turns().map((t, i) => h("option", { value: t.turnId ?? "", selected: m.turn() === t.turnId }, `${i + 1}. ${visible(t.name.slice(0, 60))}`));
  return h(
    "div",
    { class: "trace-bar" },
    h("label", { class: "row" }, h("span", { class: "dim small" }, "Turn"), h("select", { class: "trace-turn", onchange: (e: Event) => m.turn.set((e.target as HTMLSelectElement).value) }, h("option", { value: "" }, "All turns"), options)),
    () => sums(m),
    () => origin(m),
    h("p", { class: "sr", role: "status" }, told(m)),
    h("span", { class: "grow" }),
    legend(),
    zooms(m),
    h("button", { type: "button", "aria-pressed": () => String(m.pane() === "cost"), onclick: () => m.pane.set(m.pane() === "cost" ? "" : "cost") }, "Cost"),
  );
}

function origin(m: Model): Child {
  m.log.version();
  const from = m.trace().forkedFrom;
  return from ? h("a", { class: "small", href: to("trace", from.sessionId, { at: String(from.index) }) }, `fork of ${visible(from.sessionId.slice(0, 12))}… at ${from.index}`) : [];
}

/** How it goes, said when it changes. */
function told(m: Model): () => string {
  return computed(() => {
    m.log.version();
    const open = [...m.trace().open];
    return open.some((s) => s.status === "waiting") ? "The session waits for a person" : open.length > 0 ? "The session is working" : m.log.events.length > 0 ? "Nothing is running" : "";
  });
}

function legend(): HTMLElement {
  const all: [string, string][] = [["step", "model"], ["tool", "tool"], ["sub", "subagent"], ["wait", "waiting"]];
  return h("ul", { class: "row small dim trace-legend", "aria-label": "Colours" }, all.map(([kind, name]) => h("li", { class: "row" }, h("span", { class: `kind-dot kind-${kind}`, "aria-hidden": "true" }), name)));
}

function sums(m: Model): Child {
  const turns = [...m.trace().turns.values()].filter((t) => (m.turn() === "" ? !t.copied : t.turnId === m.turn()));
  if (turns.length === 0) return [];
  let u: any;
  for (const t of turns) if (used(t)) u = plus(u, used(t)!);
  const cost = turns.reduce<number | undefined>((sum, t) => (t.cost ? (sum ?? 0) + t.cost.totalUsd : sum), undefined);
  const from = turns[0].from, end = Math.max(...turns.map((t) => t.to ?? m.now()));
  const live = m.at() === undefined && m.trace().open.size > 0;
  const waits = [...m.trace().open].some((s) => s.status === "waiting");
  return h("p", { class: "row small num trace-sums" }, live && (waits ? h("span", { class: "chip warn" }, "waits for a person") : h("span", { class: "chip accent live" }, "live")), m.at() !== undefined && h("span", { class: "chip warn" }, `at event ${m.at()}`), h("span", null, duration(end - from)), u && h("span", { class: "dim" }, `${count(tokens(u))} tokens`), cost !== undefined && h("span", { class: "dim" }, money(cost)));
}

function pane(m: Model): Child {
  const p = m.pane();
  if (p === "") return [];
  const names = { span: "Details of the span", state: "State of the session", cost: "Tokens and cost" };
  return h(
    "aside",
    { class: "pane", "aria-label": names[p], onkeydown: (e: KeyboardEvent) => e.key === "Escape" && m.pane.set("") },
    h("button", { type: "button", class: "plain square pane-close", "aria-label": "Close", onclick: () => m.pane.set("") }, icon("close")),
    p === "span" ? () => detail(m) : p === "state" ? state(m) : bill(m),
  );
}
