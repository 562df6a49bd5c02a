// The trace of a session: a waterfall that one can look at live or at any index of the log.
import { type Child, cls, computed, effect, h } from "../dom.js";
import { count, visible } from "../format.js";
import { to } from "../router.js";
import type { View } from "../shell.js";
import { head, ofLog } from "./head.js";
import { pick } from "./pick.js";
import { bill } from "./trace/bill.js";
import { chart } from "./trace/chart.js";
import { detail, steps } from "./trace/detail.js";
import { zooms } from "./trace/header.js";
import { icon } from "./trace/icons.js";
import { type Model, model } from "./trace/model.js";
import { scrubber } from "./trace/scrubber.js";
import { state } from "./trace/state.js";
import { sums } from "./trace/sums.js";

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
    h("select", { class: "trace-turn", "aria-label": "Turn", hidden: () => m.turns().length < 2 && m.turn() === "", onchange: (e: Event) => m.turn.set((e.target as HTMLSelectElement).value) }, h("option", { value: "" }, "All turns"), options),
    finder(m),
    sums(m),
    () => origin(m),
    h("p", { class: "sr", role: "status" }, told(m)),
    h("div", { class: "row trace-tools" }, legend(m), zooms(m), h("button", { type: "button", "aria-pressed": () => String(m.pane() === "cost"), onclick: () => m.pane.set(m.pane() === "cost" ? "" : "cost") }, "Cost")),
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

/** The colours, which are also how rows of a kind are found. */
function legend(m: Model): HTMLElement {
  const all: [string, string][] = [["step", "model"], ["tool", "tool"], ["sub", "subagent"], ["wait", "waiting"]];
  const one = (kind: string, name: string) => h("button", { type: "button", class: "plain small dim", title: `Show rows of the kind ${name}`, "aria-pressed": () => String(m.words() === name), onclick: () => m.words.set(m.words() === name ? "" : name) }, h("span", { class: `kind-dot kind-${kind}`, "aria-hidden": "true" }), name);
  return h("ul", { class: "row trace-legend", "aria-label": "Kinds" }, all.map(([kind, name]) => h("li", null, one(kind, name))));
}

function finder(m: Model): HTMLElement {
  return h(
    "div",
    { class: "row trace-find" },
    h("input", { type: "search", "aria-label": "Find rows", placeholder: "Find rows", value: () => m.words(), oninput: (e: Event) => m.words.set((e.target as HTMLInputElement).value), onkeydown: (e: KeyboardEvent) => e.key === "Escape" && m.words.set("") }),
    h("span", { class: "dim small num", role: "status" }, () => (m.words().trim() === "" ? "" : `${count(m.found())} found`)),
  );
}

function pane(m: Model): Child {
  const p = m.pane();
  if (p === "") return [];
  const names = { span: "Details of the span", state: "State of the session", cost: "Tokens and cost" };
  return h(
    "aside",
    { class: "pane", "aria-label": names[p], onkeydown: (e: KeyboardEvent) => e.key === "Escape" && m.pane.set("") },
    h("div", { class: cls("pane-acts row", p !== "span" && "alone") }, p === "span" && steps(m), h("span", { class: "grow" }), h("button", { type: "button", class: "plain square", "aria-label": "Close", title: "Close", onclick: () => m.pane.set("") }, icon("close"))),
    p === "span" ? detail(m) : p === "state" ? state(m) : bill(m),
  );
}
