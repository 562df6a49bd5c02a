// What was found wrong with the agent, the errors first, and what to do about it.
import { type Child, h } from "../../dom.js";
import { visible } from "../../format.js";
import { guide } from "../../guide.js";

export function diagnostics(list: any[]): Child {
  if (list.length === 0) return [];
  const rank = (d: any) => (d.severity === "error" ? 0 : 1), all = [...list].sort((a, b) => rank(a) - rank(b));
  return h("section", { class: "stack", "aria-label": "Diagnostics" }, h("ul", { class: "card parts" }, all.map((d) =>
    h("li", { class: "part-row" },
      h("div", { class: "row" }, h("span", { class: `chip ${d.severity === "error" ? "bad" : "warn"}` }, visible(d.severity)), guide("diagnostics", visible(d.rule), "mono small"), d.file && h("span", { class: "mono small dim" }, visible(d.file + (d.line ? `:${d.line}${d.column ? `:${d.column}` : ""}` : "")))),
      h("p", null, visible(d.message)),
      d.fix && h("p", { class: "small dim" }, "What to do: ", visible(d.fix)),
    ))));
}
