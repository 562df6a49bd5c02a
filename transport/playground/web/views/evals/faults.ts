// What is wrong with the files of the evals, where, and what to do.
import { type Child, h } from "../../dom.js";
import { plural, visible } from "../../format.js";
import { guide } from "../../guide.js";
import type { Model } from "./model.js";
import type { Diagnostic } from "./types.js";

export function faults(m: Model): Child {
  return () => {
    const l = m.listing(), all = l?.diagnostics ?? [];
    if (!l) return [];
    const named = new Set(all.map((d) => d.file)), rest = l.broken.filter((b) => ![...named].some((f) => f && b.message.includes(f)));
    if (all.length === 0 && rest.length === 0 && l.config) return [];
    return h(
      "section",
      { class: "card stack", "aria-label": "Faults of the files" },
      h("div", { class: "row" }, h("h2", null, "To mend"), h("span", { class: "chip bad" }, plural(all.length + rest.length, "finding"))),
      !l.config && h("p", { class: "bad-text" }, "No configuration holds, so that nothing can run: ", h("code", null, "evals/evals.config.ts"), " is to export defineEvalConfig({ maxConcurrency })."),
      h("ul", { class: "stack" }, all.map(finding), rest.map((b) => h("li", { class: "finding" }, h("b", { class: "mono" }, visible(b.id)), h("p", null, visible(b.message))))),
    );
  };
}

const placed = (d: Diagnostic): string => [d.file, d.line, d.line && d.column].filter(Boolean).join(":");

function finding(d: Diagnostic): HTMLElement {
  return h(
    "li",
    { class: "finding" },
    h("div", { class: "row" }, h("span", { class: `chip ${d.severity === "error" ? "bad" : "warn"}` }, d.severity), h("span", { class: "mono" }, visible(placed(d))), h("span", { class: "grow" }), guide("diagnostics#evals", visible(d.rule), "small dim")),
    h("p", null, visible(d.message)),
    d.fix && h("p", { class: "dim" }, "→ ", visible(d.fix)),
  );
}
