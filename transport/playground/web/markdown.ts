// Markdown of models and tools. It is read on the host, which answers with a cleaned tree;
// here that tree becomes elements, of tags that this file knows, and never markup.
import { post } from "./api.js";
import { type Child, cls, effect, h, type Signal, signal, untracked } from "./dom.js";
import { isolated } from "./format.js";

/** A text, or an element: its tag, its attributes, its children. */
export type Rendered = string | [tag: string, attributes: Record<string, string | number | boolean>, ...children: Rendered[]];

const tags = new Set("p h1 h2 h3 h4 h5 h6 ul ol li pre code em strong del blockquote table thead tbody tr th td a br hr input".split(" "));

// Trees by their text, the newest last. Texts that repeat are asked for once.
const known = new Map<string, Promise<Rendered[]>>();
const most = 500;

function rendered(text: string): Promise<Rendered[]> {
  const found = known.get(text) ?? post("/v1/render", { markdown: text }).then((reply) => reply.nodes as Rendered[]);
  known.delete(text);
  known.set(text, found);
  found.catch(() => known.delete(text));
  if (known.size > most) known.delete(known.keys().next().value!);
  return found;
}

// What Markdown is made of; a text without any of it is a paragraph as it is.
const marked = /[*_`#<>|~\\![\]&:]|@|www\.|^\s*([-+]|\d+[.)])\s|\n/m;

// How many elements of one text are made before somebody asks for all.
const mostElements = 800;

/** Shows a text while it grows, and what its Markdown stands for when it is done. Where the
 *  host does not render it, it stays the text. */
export function markdown(text: () => string, done: () => boolean): Node {
  const tree = signal<Rendered[] | undefined>(undefined), whole = signal(false);
  let latest = 0;
  effect(() => {
    const all = done() ? text() : undefined, mine = ++latest;
    untracked(() => tree.set(undefined));
    if (all === undefined || !marked.test(all)) return;
    rendered(all).then((nodes) => { if (mine === latest) tree.set(nodes); }, () => {});
  });
  return h("div", { class: () => cls("markdown", !tree() && "as-is") }, () => built(tree(), whole) ?? isolated(text()));
}

function built(tree: Rendered[] | undefined, whole: Signal<boolean>): Child {
  if (!tree) return;
  const left = { elements: whole() ? Infinity : mostElements }, made = tree.map((node) => build(node, left));
  return [made, left.elements < 0 && h("button", { type: "button", class: "plain small", onclick: () => whole.set(true) }, "Show all of it")];
}

/** Makes elements of a tree, as many as are left; what it does not know is shown as its text. */
export function build(node: Rendered, left: { elements: number }): Child {
  if (left.elements < 0 || (typeof node !== "string" && --left.elements < 0)) return;
  if (typeof node === "string") return node;
  const [tag, given, ...children] = node;
  const inside = children.map((child) => build(child, left));
  if (!tags.has(tag)) return inside;
  switch (tag) {
    case "a":
      return link(String(given.href ?? ""), inside);
    case "input":
      return h("input", { type: "checkbox", checked: given.checked === true, disabled: true, "aria-label": given.checked === true ? "done" : "open" });
    case "ol":
      return h("ol", { start: typeof given.start === "number" ? given.start : null }, inside);
    case "th":
    case "td":
      return h(tag, { class: given.align === "right" || given.align === "center" ? `to-${given.align}` : null }, inside);
    case "table":
      return h("div", { class: "wide", role: "region", "aria-label": "Table", tabindex: "0" }, h("table", null, inside));
    case "pre":
      return h("pre", { tabindex: "0", "data-language": typeof given.language === "string" ? given.language : null }, inside);
  }
  // The page has headings of its own above these.
  const level = /^h([1-6])$/.exec(tag);
  return level ? h(`h${Math.min(6, Number(level[1]) + 2)}`, { class: `md-${tag}` }, inside) : h(tag, null, inside);
}

function link(href: string, inside: Child): Child {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return inside;
  return h("a", { href, rel: "noopener noreferrer", target: "_blank", title: href }, inside);
}
