// Markdown of models and tools. It is read on the host, which answers with a cleaned tree;
// here that tree becomes elements, of tags that this file knows, and never markup.
import { post } from "./api.js";
import { type Child, cls, effect, h, signal, untracked } from "./dom.js";
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

/** Shows a text while it grows, and what its Markdown stands for when it is done. Where the
 *  host does not render it, it stays the text. */
export function markdown(text: () => string, done: () => boolean): Node {
  const tree = signal<Rendered[] | undefined>(undefined);
  let latest = 0;
  effect(() => {
    const whole = done() ? text() : undefined, mine = ++latest;
    untracked(() => tree.set(undefined));
    if (whole === undefined || !marked.test(whole)) return;
    rendered(whole).then((nodes) => { if (mine === latest) tree.set(nodes); }, () => {});
  });
  return h("div", { class: () => cls("markdown", !tree() && "as-is") }, () => tree()?.map(build) ?? isolated(text()));
}

/** Makes elements of a tree; what it does not know is shown as its text. */
export function build(node: Rendered): Child {
  if (typeof node === "string") return node;
  const [tag, given, ...children] = node;
  const inside = children.map(build);
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
