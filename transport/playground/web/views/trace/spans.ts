// Folds a session's events into spans: what took how long, inside of what. The fold changes
// what it is given, so that 10,000 events cost 10,000 small steps. It touches no page.
import type { Cost, Usage } from "../../format.js";
import type { LogEvent } from "../../session.js";
import type { Stretch } from "./axis.js";
import { folds } from "./folds.js";

export type Kind = "turn" | "step" | "reasoning" | "text" | "tool" | "sub" | "wait" | "mark";
export type Status = "open" | "waiting" | "done" | "failed" | "cancelled" | "denied" | "lost";

export interface Span {
  key: string;
  kind: Kind;
  name: string;
  from: number;
  /** Absent while it goes on. */
  to?: number;
  status: Status;
  /** The indexes of its first and its last event. */
  first: number;
  last: number;
  turnId?: string;
  inside?: Span;
  children: Span[];
  usage?: Usage;
  cost?: Cost;
  /** When the first piece of a reply came, and when a queued turn began. */
  began?: number;
  /** When a person, or the queue, was waited for, and when no host worked on it. */
  waits: Wait[];
  /** It was made in the session that this one was forked from. */
  copied?: boolean;
  facts: Facts;
}

export interface Wait extends Stretch {
  lost?: boolean;
}

/** What is known of a span besides its time; each is shown where it is there. */
export interface Facts {
  text?: string;
  args?: unknown;
  output?: unknown;
  error?: string;
  code?: string;
  model?: string;
  attempt?: number;
  step?: number;
  finish?: string;
  effect?: string;
  callId?: string;
  stubbed?: boolean;
  decision?: string;
  by?: string;
  reason?: string;
  task?: string;
  repair?: string;
  from?: string;
  result?: unknown;
}

/** How a span is: one that is open waits where all that is open in it does. */
export function standing(s: Span): Status {
  if (s.status !== "open") return s.status;
  const open = s.children.filter((c) => c.to === undefined);
  const waits = open.length > 0 ? open.every((c) => standing(c) === "waiting") : s.waits.some((w) => w.to === Infinity);
  return waits ? "waiting" : "open";
}

export class Trace {
  /** Turns, direct calls and other events of no turn, in order. */
  roots: Span[] = [];
  turns = new Map<string, Span>();
  calls = new Map<string, Span>();
  next = 0;
  begins = -1;
  /** The time of the newest event, and of the one before it. */
  last = -1;
  before = -1;
  /** The session that this one was forked from, and the last index that was copied. */
  forkedFrom?: { sessionId: string; index: number };
  /** Stretches in which no host worked on the session. */
  dead: Stretch[] = [];
  /** What is open, so that each of them is found at once. */
  open = new Set<Span>();

  /** Takes the next event; one that was taken before is left out. */
  take(e: LogEvent): void {
    if (e.index < this.next) return;
    this.next = e.index + 1;
    const at = Date.parse(e.at);
    this.before = this.last < 0 ? at : this.last;
    this.last = Math.max(this.before, at);
    if (this.begins < 0) this.begins = at;
    const turn = e.turnId ? this.turns.get(e.turnId) : undefined;
    if (turn) turn.last = e.index;
    folds[e.type]?.(this, e, e.data ?? {}, this.last, turn);
  }

  /** Opens a span inside of another, or as a root. */
  begin(e: LogEvent, kind: Kind, name: string, inside: Span | undefined, more: Partial<Span> = {}): Span {
    const s: Span = {
      key: `${kind}-${e.index}`, kind, name, from: this.last, status: "open", first: e.index, last: e.index,
      turnId: e.turnId, inside, children: [], waits: [], facts: {}, ...(this.forkedFrom && e.index <= this.forkedFrom.index ? { copied: true } : {}), ...more,
    };
    (inside?.children ?? this.roots).push(s);
    if (s.to === undefined) this.open.add(s);
    return s;
  }

  end(s: Span, e: LogEvent, status: Status = "done", at = this.last): void {
    [s.to, s.status, s.last] = [at, status, Math.max(s.last, e.index)];
    this.open.delete(s);
  }

  /** Ends what is open inside of a span. */
  close(inside: Span | undefined, e: LogEvent, status: Status, at = this.last): void {
    for (const s of [...this.open]) if (s !== inside && (!inside || lies(s, inside))) this.end(s, e, status, at);
  }

  /** Where an event's spans go: into the subagent's call that it is part of, or the turn. */
  home(e: LogEvent, turn: Span | undefined): Span | undefined {
    return this.calls.get(e.data?.parentCallId) ?? turn;
  }

  /** The newest span of a kind right inside of another. */
  newest(inside: Span | undefined, kind: Kind): Span | undefined {
    return (inside?.children ?? this.roots).findLast((s) => s.kind === kind);
  }
}

function lies(s: Span, inside: Span): boolean {
  for (let up = s.inside; up; up = up.inside) if (up === inside) return true;
  return false;
}

/** The stretches in which something worked, up to now: waiting and a dead host are not work. */
export function busy(roots: readonly Span[], dead: readonly Stretch[], now: number): Stretch[] {
  const out: Stretch[] = [];
  const walk = (s: Span) => {
    s.children.forEach(walk);
    if (s.kind === "step" || s.kind === "tool" || s.kind === "mark") {
      out.push(...without({ from: s.from, to: Math.max(s.to ?? now, s.from) }, [...s.waits.map((w) => ({ from: w.from, to: Math.min(w.to, now) })), ...dead]));
    } else if (s.kind === "turn" || s.kind === "sub") {
      out.push({ from: s.from, to: s.from });
      if (s.to !== undefined) out.push({ from: s.to, to: s.to });
    }
  };
  roots.forEach(walk);
  return out;
}

/** What is left of a stretch without others. */
export function without(s: Stretch, others: readonly Stretch[]): Stretch[] {
  let left = [s];
  for (const o of others) {
    if (o.to <= s.from || o.from >= s.to) continue;
    left = left.flatMap((x) => (o.to <= x.from || o.from >= x.to ? [x] : [{ from: x.from, to: o.from }, { from: o.to, to: x.to }].filter((y) => y.to > y.from)));
  }
  return left;
}
