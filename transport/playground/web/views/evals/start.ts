// What is chosen, and the buttons that run it.
import { host } from "../../api.js";
import { computed, h } from "../../dom.js";
import { plural } from "../../format.js";
import { copy } from "../chat/value.js";
import { command } from "./command.js";
import type { Model } from "./model.js";
import { leaves } from "./tree.js";

export function bar(m: Model): HTMLElement {
  const all = computed(() => leaves(m.whole())), chosen = computed(() => all().filter((id) => m.chosen().has(id))), shown = computed(() => leaves(m.shown()));
  const says = () => {
    const n = chosen().length, seen = new Set(shown()), away = chosen().filter((id) => !seen.has(id)).length;
    return n === 0 ? "Nothing is chosen" : `${n} chosen${away > 0 ? `, ${away} of them not shown` : ""}`;
  };
  const label = () => {
    if (chosen().length > 0) return `Run ${chosen().length} chosen`;
    if (m.tags().size > 0) return `Run tagged ${[...m.tags()].sort().join(", ")}`;
    return `Run all ${plural(all().length, "case")}`;
  };
  const off = () => m.running() || all().length === 0 || !m.listing()?.config;
  return h(
    "div",
    { class: "evals-bar" },
    h("div", null, h("span", { class: "small dim", role: "status" }, says),
    h("button", { type: "button", class: "plain small", disabled: () => shown().length === 0, onclick: () => m.chosen.set(new Set([...m.chosen.peek(), ...shown()])) }, "Choose all shown"),
    h("button", { type: "button", class: "plain small", disabled: () => chosen().length === 0, onclick: () => m.chosen.set(new Set()) }, "Choose none")),
    h("div", null, h("label", { class: "check small", title: "Keeps inputs, texts, tool calls, logs and the assertions that held" }, h("input", { type: "checkbox", checked: m.verbose, onchange: (e: any) => m.verbose.set(e.target.checked) }), "Keep everything"),
    copy(() => command(host, m.selection(), m.verbose()), "Copy command"),
    () => (chosen().length > 0 || m.tags().size > 0 ? h("button", { type: "button", disabled: off, onclick: () => void m.start({ ids: [], tags: [] }) }, `Run all ${all().length}`) : []),
    h("button", { type: "button", class: "main", disabled: off, onclick: () => void m.start(m.selection()) }, label)),
  );
}
