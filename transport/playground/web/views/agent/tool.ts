// A tool: when the model may use it, and what it takes and gives.
import { type Child, h } from "../../dom.js";
import { pretty, visible } from "../../format.js";
import { type Field, fields, taken } from "../../routes.js";
import { folding, value } from "../chat/value.js";
import { chips, entry, folded } from "./parts.js";

export function tool(t: any): Child {
  const takes = fields(t.inputSchema);
  const asks = t.needsApproval === true ? "needs approval" : t.needsApproval === "dynamic" ? "may need approval" : "";
  return entry(
    visible(t.name),
    t.description,
    [effect(t.effect), asks && h("span", { class: "chip warn" }, asks), chips(t.idempotent && "idempotent", t.execution && t.execution !== "server" && `runs in ${t.execution}`, t.timeArguments?.length > 0 && `times: ${t.timeArguments.join(", ")}`)],
    t.source,
    [
      folding({ class: "folded", summary: takes.length === 0 ? "Takes no named arguments" : `Takes ${takes.map((f) => visible(f.name) + (f.required ? "" : "?")).join(", ")}`, body: () => h("div", { class: "stack" }, takes.length > 0 && table(takes), value("Input schema", () => pretty(t.inputSchema))) }),
      t.outputSchema && folded("Gives", () => pretty(t.outputSchema)),
    ],
  );
}

function effect(e: string): Child {
  return e && h("span", { class: e === "read" ? "chip good" : e === "write" ? "chip accent" : "chip" }, visible(e === "dynamic" ? "reads or writes" : e));
}

function table(list: Field[]): HTMLElement {
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Arguments" }, h("table", { class: "small" }, h("tbody", null, list.map((f) => h("tr", null, h("th", { scope: "row", class: "mono" }, visible(f.name)), h("td", { class: "mono" }, visible(taken(f))), h("td", { class: "dim" }, f.required ? "required" : "optional"), h("td", null, visible(f.schema.description ?? "")))))));
}
