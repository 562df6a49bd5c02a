// What the lists of an agent's parts are made of.
import { type Child, h } from "../../dom.js";
import { isolated, visible } from "../../format.js";
import { folding, value } from "../chat/value.js";

export function section(id: string, title: string, items: Child[]): HTMLElement {
  return h("section", { class: "stack part", id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title, " ", h("span", { class: "dim small num" }, items.length)), h("ul", { class: "card parts" }, items));
}

/** One part: its name, what it is for, what is to be known of it, where it comes from, and
 *  what else there is. */
export function entry(name: Child, about: string | undefined, facts: Child, from?: string, more?: Child): HTMLElement {
  return h("li", { class: "part-row" }, h("div", { class: "row" }, h("b", { class: "mono part-name" }, name), facts, from && h("span", { class: "part-from small dim mono" }, visible(from))), about && h("p", { class: "part-about" }, isolated(about)), more);
}

export const chips = (...words: (string | false | null | undefined)[]): Child => words.filter((w): w is string => Boolean(w)).map((w) => h("span", { class: "chip" }, visible(w)));

/** A text that is folded away until somebody asks for it. */
export const folded = (title: string, text: () => string): HTMLElement => folding({ class: "folded", summary: title, body: () => value(title, text) });
