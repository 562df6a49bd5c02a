// The rows of a waterfall: the spans that are shown, in order, and how keys move among them
// as in a tree grid. Nothing here touches the page.
import { plus, type Usage } from "../../format.js";
import { type Stretch, union } from "./axis.js";
import { busy, type Kind, type Span, without } from "./spans.js";

export interface Row {
  span: Span;
  level: number;
  /** Its place among those beside it, from 1, and how many they are. */
  nth: number;
  of: number;
  /** Undefined where there is nothing inside. */
  open?: boolean;
}

/** What is shown, with closed rows' insides left out; or of some spans, all. */
export function rows(roots: readonly Span[], closed: (s: Span) => boolean, only?: ReadonlySet<Span>): Row[] {
  const out: Row[] = [], among = (all: readonly Span[]) => (only ? all.filter((s) => only.has(s)) : all);
  const add = (all: readonly Span[], level: number) => {
    all.forEach((span, i) => {
      const inside = among(span.children), open = inside.length > 0 ? only !== undefined || !closed(span) : undefined;
      out.push({ span, level, nth: i + 1, of: all.length, open });
      if (open) add(inside, level + 1);
    });
  };
  add(among(roots), 1);
  return out;
}

/** Where a person has opened and closed nothing: steps are closed, whose rows say what the
 *  model said, and of many turns all but the newest; what the chosen span lies in is open. */
export function closedAtFirst(roots: readonly Span[], chosen: string | undefined): (s: Span) => boolean {
  const last = roots[roots.length - 1], way = new Set<Span>(), span = chosen === undefined ? undefined : find(roots, chosen);
  for (let up = span?.inside; up; up = up.inside) way.add(up);
  return (s) => !way.has(s) && (s.kind === "step" || (roots.length > 8 && s.inside === undefined && s !== last));
}

/** The span of a key, at any depth. */
export function find(all: readonly Span[], key: string): Span | undefined {
  for (const s of all) {
    const found = s.key === key ? s : find(s.children, key);
    if (found) return found;
  }
  return undefined;
}

/** A move within the tree: where the focus goes, and what opens or closes. */
export interface Move {
  to?: string;
  open?: string;
  close?: string;
}

/** What a key does at a row, as tree grids do it; undefined where it does nothing. */
export function press(key: string, all: readonly Row[], at: string | undefined, page = 10): Move | undefined {
  if (all.length === 0) return undefined;
  const i = all.findIndex((r) => r.span.key === at), row = all[i];
  const to = (n: number): Move => ({ to: all[Math.min(all.length - 1, Math.max(0, n))].span.key });
  if (key === "Home") return to(0);
  if (key === "End") return to(all.length - 1);
  if (i < 0) return key.startsWith("Arrow") ? to(0) : undefined;
  if (key === "ArrowDown") return to(i + 1);
  if (key === "ArrowUp") return to(i - 1);
  if (key === "PageDown") return to(i + page);
  if (key === "PageUp") return to(i - page);
  if (key === "ArrowRight") return row.open === false ? { open: at } : row.open ? to(i + 1) : undefined;
  if (key !== "ArrowLeft") return undefined;
  if (row.open) return { close: at };
  return row.span.inside && all.some((r) => r.span === row.span.inside) ? { to: row.span.inside.key } : undefined;
}

/** The tokens of a span: its own, or those of the steps inside. */
export function used(s: Span): Usage | undefined {
  if (s.usage) return s.usage;
  let sum: Usage | undefined;
  for (const c of s.children) {
    const u = used(c);
    if (u) sum = plus(sum, u);
  }
  return sum;
}

/** A part of a bar: waiting, working, the reply that comes, or time without a host. */
export interface Part {
  from: number;
  to: number;
  kind: "wait" | "work" | "reply" | "lost";
}

/** The parts of a span's bar, in order, up to now. */
export function parts(s: Span, now: number): Part[] {
  const end = Math.max(s.from, s.to ?? now), out: Part[] = [];
  if (s.kind === "wait") return [{ from: s.from, to: end, kind: "wait" }];
  let at = s.from;
  for (const w of s.waits) {
    const to = Math.min(w.to, end);
    if (w.from > at) out.push({ from: at, to: w.from, kind: "work" });
    if (to > w.from) out.push({ from: w.from, to, kind: w.lost ? "lost" : "wait" });
    at = Math.max(at, to);
  }
  if (s.kind === "step" && s.began !== undefined && s.began > at && s.began < end) {
    out.push({ from: at, to: s.began, kind: "work" }, { from: s.began, to: end, kind: "reply" });
  } else if (end > at || out.length === 0) out.push({ from: at, to: end, kind: "work" });
  return out;
}

export interface Bit extends Stretch {
  kind: Kind;
}

/** The work inside of a closed span as at most so many bits for each kind: those that are
 *  close to each other are one. */
export function digest(s: Span, now: number, many = 8): Bit[] {
  const kinds: Kind[] = ["sub", "step", "tool", "wait"], found = new Map<Kind, Stretch[]>(kinds.map((k) => [k, []]));
  const walk = (c: Span) => {
    found.get(c.kind)?.push(...(c.kind === "tool" ? without({ from: c.from, to: c.to ?? now }, c.waits) : [{ from: c.from, to: c.to ?? now }]));
    c.children.forEach(walk);
  };
  s.children.forEach(walk);
  return kinds.flatMap((kind) => {
    let all = union(found.get(kind)!);
    for (let near = ((s.to ?? now) - s.from) / 400; all.length > many; near *= 2) all = union(all.map((x) => ({ from: x.from, to: x.to + near }))).map((x) => ({ from: x.from, to: x.to - near }));
    return all.map((x) => ({ ...x, kind }));
  });
}

/** How long a span took, and how much of that it, or what lies inside, waited while nothing
 *  in it worked. */
export function took(s: Span, now: number): { all: number; waited: number } {
  const end = Math.max(s.from, s.to ?? now), all = end - s.from;
  if (s.kind === "wait") return { all, waited: all };
  const of = (x: Span): Stretch[] => [...x.waits.filter((w) => !w.lost).map((w) => ({ from: w.from, to: Math.min(w.to, end) })), ...x.children.flatMap(of)];
  const waits = union(of(s).filter((w) => w.to > w.from)), work = waits.length > 0 ? busy([s], [], end) : [];
  return { all, waited: waits.flatMap((w) => without(w, work)).reduce((sum, w) => sum + w.to - w.from, 0) };
}
