// The card above the composer: what a slash command answered, or the commands that there are.
import { type Child, cls, h } from "../../dom.js";
import { pretty, visible } from "../../format.js";
import { type Field, types } from "../../routes.js";
import { tryRoute } from "../try.js";
import { answer, headersOf, issues } from "./answer.js";
import { type Command, usage } from "./slash.js";
import { value } from "./value.js";

const close = () => h("button", { type: "button", class: "plain small", onclick: () => answer.set(undefined) }, "Close");

/** Shows the answer, or the commands. */
export function answerCard(): Child {
  const a = answer();
  if (!a) return null;
  if (Array.isArray(a)) return help(a);
  const ok = a.status < 400;
  return h(
    "section",
    { class: "answer", "aria-label": "Answer", role: "status" },
    h("div", { class: "answer-head" }, h("b", { class: "mono" }, visible(a.title)), h("span", { class: cls("chip", ok ? "good" : "bad") }, String(a.status)), h("span", { class: "grow" }), close()),
    issues(a.json),
    headersOf(a.headers),
    a.text !== "" && !a.json?.issues && value("Answer", () => (a.json === undefined ? a.text : pretty(a.json))),
  );
}

function help(list: Command[]): Child {
  return h(
    "section",
    { class: "answer", "aria-label": "Commands", role: "status" },
    h("div", { class: "answer-head" }, h("b", null, "Commands"), h("span", { class: "grow" }), close()),
    list.length === 0 && h("p", { class: "dim" }, "This agent has no channel routes of its own without parameters. What you write goes to the agent."),
    h("dl", { class: "help" }, list.map((c) => [h("dt", null, h("span", { class: "mono grow" }, visible(usage(c))), h("button", { type: "button", class: "plain small", onclick: () => tryRoute(c.route) }, "Try …")), h("dd", null, visible(c.description), [...c.body, ...c.query].map(field))])),
  );
}

function field(f: Field): HTMLElement {
  const what = f.schema.enum ? f.schema.enum.map(String).join(", ") : types(f.schema).join(" or ");
  return h("div", { class: "small dim" }, h("span", { class: "mono" }, visible(f.name)), ` ${visible(what)}${f.required ? ", required" : ""}${f.schema.description ? `: ${visible(f.schema.description)}` : ""}`);
}
