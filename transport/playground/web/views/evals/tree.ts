// The cases as a tree by their ids, and what is chosen of it.
import type { Case, Listing } from "./types.js";

/** A folder, a file, or a case with all of its iterations. */
export interface Node {
  /** What a selection names: it reaches what lies below. */
  id: string;
  /** The last part of the id. */
  name: string;
  children: Node[];
  /** What runs under this very id; undefined: nothing does. */
  leaf?: Leaf;
}

export interface Leaf {
  case?: Case;
  /** Why the file gives no cases, or not all. */
  broken?: string;
}

export interface Row {
  node: Node;
  level: number;
  /** Undefined for one that has nothing below it. */
  open?: boolean;
  nth: number;
  of: number;
}

/** An id without its iteration. */
export const plainId = (c: { id: string; iterations: number }): string => (c.iterations > 1 ? c.id.slice(0, c.id.lastIndexOf("/")) : c.id);

/** The top of the tree: what it has is below it. */
export function treeOf(l: Pick<Listing, "cases" | "broken">): Node {
  const top: Node = { id: "", name: "", children: [] }, known = new Map([["", top]]);
  const at = (id: string): Node => {
    const there = known.get(id);
    if (there) return there;
    const cut = id.lastIndexOf("/"), made: Node = { id, name: id.slice(cut + 1), children: [] };
    known.set(id, made);
    at(cut < 0 ? "" : id.slice(0, cut)).children.push(made);
    return made;
  };
  for (const c of l.cases) (at(plainId(c)).leaf ??= {}).case ??= c;
  for (const b of l.broken) (at(b.id).leaf ??= {}).broken = b.message;
  return top;
}

/** The ids of all that runs at a node and below it, in order. */
export function leaves(n: Node): string[] {
  const out = n.leaf ? [n.id] : [];
  for (const c of n.children) out.push(...leaves(c));
  return out;
}

export interface Filter {
  words: string;
  /** Any of them; none: all. */
  tags: ReadonlySet<string>;
}

/** Keeps what fits: all words stand in the id, the tags or the description. */
export function filtered(l: Pick<Listing, "cases" | "broken">, f: Filter): Pick<Listing, "cases" | "broken"> {
  const words = f.words.toLowerCase().split(/\s+/).filter(Boolean);
  const says = (text: string) => words.every((w) => text.toLowerCase().includes(w));
  return {
    cases: l.cases.filter((c) => (f.tags.size === 0 || c.tags.some((t) => f.tags.has(t))) && says([plainId(c), ...c.tags, c.description ?? ""].join(" "))),
    broken: l.broken.filter((b) => f.tags.size === 0 && says(`${b.id} ${b.message}`)),
  };
}

/** How many cases have each tag, iterations once, by name. */
export function tagsOf(cases: readonly Case[]): [string, number][] {
  const out = new Map<string, number>();
  for (const c of cases) if (c.iteration <= 1) for (const t of c.tags) out.set(t, (out.get(t) ?? 0) + 1);
  return [...out].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The tree's rows, top first, without what lies in a closed one. */
export function rowsOf(top: Node, closed: (id: string) => boolean): Row[] {
  const out: Row[] = [];
  const add = (nodes: Node[], level: number) => nodes.forEach((node, i) => {
    const open = node.children.length > 0 ? !closed(node.id) : undefined;
    out.push({ node, level, open, nth: i + 1, of: nodes.length });
    if (open) add(node.children, level + 1);
  });
  add(top.children, 1);
  return out;
}

/** The shortest selection that reaches what is chosen; of a whole tree, none. It reaches more
 *  only where a case is chosen without those below it, which no selection can leave out. */
export function selectorsOf(top: Node, chosen: ReadonlySet<string>): string[] {
  const whole = (n: Node): boolean => (!n.leaf || chosen.has(n.id)) && n.children.every(whole);
  if (whole(top)) return [];
  const out: string[] = [];
  const add = (n: Node) => {
    if (n.id !== "" && (whole(n) || (n.leaf && chosen.has(n.id)))) return void out.push(n.id);
    n.children.forEach(add);
  };
  add(top);
  return out;
}

/** What is chosen at a node and below it: all, some or none. */
export function chosenOf(n: Node, chosen: ReadonlySet<string>): "all" | "some" | "none" {
  const all = leaves(n), has = all.filter((id) => chosen.has(id)).length;
  return has === 0 ? "none" : has === all.length ? "all" : "some";
}

/** Turns a node on, or off where all of it is on, and with it the cases that it lies below. */
export function toggled(n: Node, chosen: ReadonlySet<string>): Set<string> {
  const next = new Set(chosen), on = chosenOf(n, chosen) !== "all";
  for (const id of leaves(n)) on ? next.add(id) : next.delete(id);
  if (!on) for (const id of chosen) if (n.id.startsWith(id + "/")) next.delete(id);
  return next;
}

/** What a key does in the tree: to goes to a row, open and close change one. */
export function keyed(key: string, rows: readonly Row[], at: string, page = 10): { to?: string; open?: string; close?: string } {
  const i = rows.findIndex((r) => r.node.id === at), row = rows[i];
  const go = (n: number) => (rows.length === 0 ? {} : { to: rows[Math.max(0, Math.min(rows.length - 1, n))].node.id });
  switch (key) {
    case "ArrowDown": return go(i + 1);
    case "ArrowUp": return go(Math.max(0, i - 1));
    case "Home": return go(0);
    case "End": return go(rows.length - 1);
    case "PageDown": return go(i + page);
    case "PageUp": return go(i - page);
    case "ArrowRight":
      if (!row || row.open === undefined) return {};
      return row.open ? go(i + 1) : { open: at };
    case "ArrowLeft": {
      if (!row) return {};
      if (row.open) return { close: at };
      for (let up = i - 1; up >= 0; up--) if (rows[up].level < row.level) return go(up);
    }
  }
  return {};
}
