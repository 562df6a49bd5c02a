// What the views of lists and figures stand in: the view's name and its tools on one line,
// and below it what there is, or what to do where there is nothing.
import { type Child, cls, h } from "./dom.js";
import { guide, guides } from "./guide.js";

interface Head {
  title: Child;
  /** What the title is one of, and where they are. */
  above?: [string, string];
  /** Beside the title, in a quiet tone. */
  about?: Child;
  /** Filters and buttons. */
  tools?: Child;
}

/** A view whose list fills the window and scrolls by itself. */
export const filling = (name: string, o: Head, ...body: Child[]): HTMLElement => h("section", { class: cls("view", name) }, head(o), body);

/** A view of cards and tables, which is read from top to bottom. */
export const reading = (name: string, o: Head, ...body: Child[]): HTMLElement => h("section", { class: cls("view", name) }, head(o), h("div", { class: "view-page" }, h("div", { class: "view-cards" }, body)));

function head(o: Head): HTMLElement {
  return h(
    "header",
    { class: "view-head" },
    o.above && h("nav", { class: "view-above", "aria-label": "Back" }, h("a", { href: o.above[1] }, o.above[0]), h("span", { class: "dim", "aria-hidden": "true" }, " /")),
    h("h1", null, o.title),
    o.about && h("p", { class: "view-about small dim" }, o.about),
    o.tools && h("div", { class: "view-tools" }, o.tools),
  );
}

/** What stands where there is nothing: why, what to do, and where the docs tell more. */
export function nothing(title: Child, words: Child, doc?: [page: string, name: string]): HTMLElement {
  return h("div", { class: "nothing", role: "status" }, h("p", { class: "nothing-title" }, title), words && h("p", { class: "dim" }, words), doc && guides() && h("p", { class: "small" }, guide(...doc)));
}
