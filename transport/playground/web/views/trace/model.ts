// What the parts of the trace view share: the log, the index that is looked at, the axis,
// and what of it is shown.
import { batch, cleanup, computed, effect, type Signal, signal, untracked } from "../../dom.js";
import { type Log, openLog, upTo } from "../../log.js";
import { go, place, to } from "../../router.js";
import { Axis, type Look } from "./axis.js";
import { closedAtFirst, find, type Row, rows } from "./rows.js";
import { busy, type Span, Trace } from "./spans.js";
import { sift } from "./words.js";

export type Pane = "" | "span" | "state" | "cost";

export interface Model {
  id: string;
  log: Log;
  /** The index that the session is shown at; undefined: as it is now. */
  at: Signal<number | undefined>;
  /** The turn that is shown, or "" for all. */
  turn: Signal<string>;
  trace: () => Trace;
  /** The turns of the whole log. */
  turns: () => Span[];
  now: () => number;
  axis: () => Axis;
  look: Signal<Look>;
  rows: () => Row[];
  /** The words by which spans are sought, and how many have them. */
  words: Signal<string>;
  found: () => number;
  /** What a person opened (false) or closed (true). */
  closed: Signal<ReadonlyMap<string, boolean>>;
  chosen: Signal<string | undefined>;
  span: () => Span | undefined;
  pane: Signal<Pane>;
}

const number = (text: string | null): number | undefined => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined);

export function model(id: string, query: URLSearchParams): Model {
  const live = new Trace();
  const log = openLog(id, (e) => live.take(e));
  const at = signal(number(query.get("at"))), turn = signal(query.get("turn") ?? ""), look = signal<Look>({ a: 0, b: 1 });
  const closed = signal<ReadonlyMap<string, boolean>>(new Map()), chosen = signal(query.get("span") ?? undefined), words = signal(""), pane = signal<Pane>(chosen.peek() ? "span" : at.peek() === undefined ? "" : "state");
  address(id, at, turn, chosen);
  const trace = past(log, live, at);
  const now = clock(log, live, at, trace);
  const ofTurn = (roots: readonly Span[]) => (turn() === "" ? [...roots] : roots.filter((s) => s.turnId === turn()));
  const axis = computed(() => {
    log.version();
    const roots = ofTurn(live.roots), time = at() === undefined ? now() : Math.max(live.last, 0);
    const from = roots[0]?.from ?? Math.max(live.begins, 0), ends = roots.map((s) => s.to ?? time);
    return new Axis(busy(roots, live.dead, time), { from, to: Math.max(from, ...ends) });
  });
  const sought = computed(() => {
    log.version();
    return words().trim() === "" ? undefined : sift(ofTurn(trace().roots), words());
  });
  const list = computed(() => {
    log.version();
    const roots = ofTurn(trace().roots), byHand = closed(), first = closedAtFirst(roots, chosen());
    return rows(roots, (s) => byHand.get(s.key) ?? first(s), sought()?.shown);
  });
  const span = () => (list(), chosen() === undefined ? undefined : find(ofTurn(trace().roots), chosen()!));
  const turns = () => {
    log.version();
    return [...live.turns.values()];
  };
  return { id, log, at, turn, trace, turns, now, axis, look, rows: list, words, found: () => sought()?.found ?? 0, closed, chosen, span, pane };
}

/** The trace at the index. */
function past(log: Log, live: Trace, at: Signal<number | undefined>): () => Trace {
  const kept = upTo(log, () => at()!, () => new Trace());
  return () => (at() === undefined ? (log.version(), live) : kept());
}

/** Now goes on while something is open; at an index it is the time of its event. */
function clock(log: Log, live: Trace, at: Signal<number | undefined>, trace: () => Trace): () => number {
  const time = signal(Date.now());
  effect(() => {
    log.version();
    if (at() !== undefined || live.open.size === 0) return;
    const waits = [...live.open].some((s) => s.status === "waiting");
    time.set(Math.max(Date.now(), live.last));
    const timer = setInterval(() => time.set(Math.max(Date.now(), live.last)), waits ? 1000 : 200);
    cleanup(() => clearInterval(timer));
  });
  return () => {
    log.version();
    return at() !== undefined ? Math.max(trace().last, 0) : live.open.size > 0 ? time() : Math.max(live.last, 0);
  };
}

/** Keeps the address and what is shown alike, in both directions. */
function address(id: string, at: Signal<number | undefined>, turn: Signal<string>, chosen: Signal<string | undefined>): void {
  const query = () => ({ ...(chosen() ? { span: chosen() } : {}), ...(at() === undefined ? {} : { at: String(at()) }), ...(turn() ? { turn: turn() } : {}) }) as Record<string, string>;
  effect(() => {
    const wanted = to("trace", id, query());
    const timer = setTimeout(() => {
      if (location.hash !== wanted && place.peek().view === "trace" && place.peek().id === id) go(wanted, true);
    }, 200);
    cleanup(() => clearTimeout(timer));
  });
  let seen = untracked(place).query.toString();
  effect(() => {
    const p = place();
    if (p.view !== "trace" || p.id !== id || p.query.toString() === seen) return;
    seen = p.query.toString();
    batch(() => {
      at.set(number(p.query.get("at")));
      turn.set(p.query.get("turn") ?? "");
      chosen.set(p.query.get("span") ?? undefined);
    });
  });
}
