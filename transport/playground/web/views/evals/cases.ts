// The tree of the cases, with the filter above it and what is chosen.
import { type Child, cls, computed, flip, h, signal } from "../../dom.js";
import { duration, plural, visible } from "../../format.js";
import { type List, list } from "../../list.js";
import { about } from "./about.js";
import type { Model } from "./model.js";
import { bar } from "./start.js";
import { signs, tones } from "./sums.js";
import { chosenOf, keyed, leaves, type Row, rowsOf, tagsOf, toggled } from "./tree.js";

export function cases(m: Model): HTMLElement {
  const closed = signal<ReadonlySet<string>>(new Set()), at = signal("");
  const rows = computed(() => rowsOf(m.shown(), (id) => m.words() === "" && closed().has(id)));
  const fold = (id: string, shut: boolean) => {
    const next = new Set(closed.peek());
    shut ? next.add(id) : next.delete(id);
    closed.set(next);
  };
  const choose = (r: Row) => m.chosen.set(toggled(r.node, m.chosen.peek()));
  const press = (e: KeyboardEvent) => {
    const all = rows(), here = all.find((r) => r.node.id === at.peek());
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if ((e.key === " " || e.key === "Enter") && here) choose(here);
    else {
      const k = keyed(e.key, all, at.peek(), l.fit());
      if (k.open) fold(k.open, false);
      else if (k.close) fold(k.close, true);
      else if (k.to !== undefined) (at.set(k.to), l.reveal(k.to));
      else return;
    }
    e.preventDefault();
  };
  const l: List<Row> = list<Row>({
    items: rows,
    key: (r) => r.node.id,
    render: (r) => line(m, r, at, fold, choose),
    props: { class: "evals-tree", role: "tree", tabindex: "0", "aria-label": "Cases: arrows move, Space chooses", "aria-activedescendant": () => at() !== "" && rowId(at()), onkeydown: press, onfocus: () => at.peek() === "" && at.set(rows()[0]?.node.id ?? "") },
  });
  const empty = () => {
    const listing = m.listing();
    if (!listing) return h("p", { class: "empty", role: "status" }, "Reading the cases …");
    return rows().length === 0 && h("p", { class: "empty" }, listing.cases.length === 0 ? "There are no cases yet: files below evals/ that end in .eval.ts have them." : "No case fits the filter.");
  };
  return h(
    "section",
    { class: "evals-cases", "aria-label": "Cases" },
    tags(m),
    empty,
    h("div", { class: "evals-tree-box", hidden: () => rows().length === 0 }, l.box),
    () => about(m, at()),
    bar(m),
  );
}

const rowId = (id: string): string => `case-${encodeURIComponent(id)}`;

// What there is, in a line.
function facts(m: Model): string {
  const l = m.listing();
  if (!l) return "";
  const n = leaves(m.whole()).length, runs = l.cases.length + l.broken.length;
  const of = [plural(n, "case"), runs > n && `${runs} with iterations`, l.config && `${l.config.maxConcurrency} at once`, l.config && `${duration(l.config.timeoutMs)} each`, l.config?.judgeModel && `judged by ${visible(l.config.judgeModel)}`];
  return of.filter(Boolean).join(" · ");
}

/** The filter of the cases, what there is, and the button that reads their files again. */
export const caseTools = (m: Model): Child => [
  h("input", { type: "search", "aria-label": "Filter the cases", placeholder: "Filter by id, tag or words", spellcheck: "false", oninput: (e: any) => m.words.set(e.target.value.trim()) }),
  h("span", { class: "dim small" }, () => facts(m)),
  h("button", { type: "button", class: "plain small last", title: "Reads the files again", onclick: () => void m.load() }, "Read again"),
];

function tags(m: Model): Child {
  const all = computed(() => tagsOf(m.listing()?.cases ?? []));
  return h("div", { class: "row evals-tags", role: "group", "aria-label": "Tags", hidden: () => all().length === 0 }, () => all().map(([t, n]) => h("button", { type: "button", class: "tag", "aria-pressed": () => String(m.tags().has(t)), onclick: () => flip(m.tags, t) }, visible(t), h("span", { class: "dim" }, ` ${n}`))));
}

function line(m: Model, r: () => Row, at: { (): string; set(id: string): void }, fold: (id: string, shut: boolean) => void, choose: (r: Row) => void): HTMLElement {
  const node = () => r().node, of = () => node().leaf?.case, id = r().node.id;
  const state = computed(() => chosenOf(node(), m.chosen()));
  const box = h("input", { type: "checkbox", tabindex: "-1", "aria-hidden": "true", checked: () => state() === "all", onchange: () => choose(r()) }) as HTMLInputElement;
  return h(
    "div",
    {
      id: rowId(id), class: () => cls("case", at() === id && "at"), role: "treeitem", style: () => `--level:${r().level - 1}`,
      "aria-level": () => r().level, "aria-posinset": () => r().nth, "aria-setsize": () => r().of, "aria-expanded": () => r().open === undefined ? null : String(r().open), "aria-checked": () => ({ all: "true", some: "mixed", none: "false" })[state()],
      onclick: () => at.set(id),
    },
    h("button", { type: "button", tabindex: "-1", "aria-hidden": "true", class: () => cls("plain case-toggle", r().open === undefined && "leaf"), onclick: () => fold(id, r().open === true) }, () => (r().open ? "▾" : "▸")),
    box,
    () => { box.indeterminate = state() === "some"; return []; },
    h("span", { class: () => cls("case-name", !node().leaf && "folder") }, visible(r().node.name)),
    () => { const v = m.last().get(id); return v ? h("span", { class: cls("case-last", v === "running" ? "accent-text live" : `v-${v}`), title: v === "running" ? "under way" : `the last run: ${v}` }, h("span", { "aria-hidden": "true" }, v === "running" ? "" : signs[v]), h("span", { class: "sr" }, v)) : []; },
    () => badges(node().leaf, of()),
    h("span", { class: "case-what" }, () => (node().leaf ? visible(of()?.description ?? node().leaf?.broken ?? "") : plural(leaves(node()).length, "case"))),
  );
}

function badges(leaf: Row["node"]["leaf"], c: NonNullable<Row["node"]["leaf"]>["case"]): Child {
  return [
    leaf?.broken !== undefined && h("span", { class: `chip ${tones.failed}` }, "broken"),
    c && c.iterations > 1 && h("span", { class: "chip", title: `${c.iterations} iterations` }, `×${c.iterations}`),
    c && c.tags.map((t) => h("span", { class: "chip case-tag" }, visible(t))),
  ];
}
