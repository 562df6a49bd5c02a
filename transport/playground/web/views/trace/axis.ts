// The time axis of a waterfall: a map from instants to places between 0 and 1 in which long
// stretches without work take little room. Nothing here touches the page.

/** A stretch of time, in milliseconds. */
export interface Stretch {
  from: number;
  to: number;
}

/** Piece is a part of the axis; in one that is a gap, time runs faster. */
export interface Piece extends Stretch {
  gap: boolean;
  /** Where it lies, between 0 and 1. */
  at: number;
  wide: number;
}

export interface Tick {
  at: number;
  time: number;
  /** Since the beginning of the axis. */
  label: string;
}

/** Joins stretches that overlap or touch, in order. */
export function union(all: Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  for (const s of [...all].sort((a, b) => a.from - b.from)) {
    const last = out[out.length - 1];
    if (last && s.from <= last.to) last.to = Math.max(last.to, s.to);
    else out.push({ from: s.from, to: Math.max(s.from, s.to) });
  }
  return out;
}

/** A gap shorter than this is never compressed. */
const shortest = 250;
/** Nor is one shorter than this, such as before a reply is tried again, but among less work. */
const pause = 10_000;

export class Axis {
  readonly from: number;
  readonly to: number;
  readonly pieces: Piece[] = [];

  /** Busy are the stretches in which something worked; whole is what the axis shows. */
  constructor(busy: Stretch[], whole: Stretch) {
    this.from = whole.from;
    this.to = Math.max(whole.to, whole.from + 1);
    const work = union(busy.filter((s) => s.to > this.from && s.from < this.to).map((s) => ({ from: Math.max(s.from, this.from), to: Math.min(s.to, this.to) })));
    const worked = work.reduce((sum, s) => sum + s.to - s.from, 0);
    // An idle stretch that is longer than all of the work, or than an eighth of it where there
    // are many, takes a part of its room; all of them together never more than a quarter.
    const least = Math.max(shortest, Math.min(worked, Math.max(pause, worked / Math.min(8, Math.max(1, work.length - 1)))));
    const parts: { from: number; to: number; gap: boolean; room: number }[] = [];
    const add = (from: number, to: number, idle: boolean) => {
      if (to <= from) return;
      const gap = idle && to - from > least, last = parts[parts.length - 1];
      if (last && !gap && !last.gap) [last.to, last.room] = [to, last.room + to - from];
      else parts.push({ from, to, gap, room: to - from });
    };
    let at = this.from;
    for (const s of work) {
      add(at, s.from, true);
      add(s.from, s.to, false);
      at = s.to;
    }
    add(at, this.to, true);
    const gaps = parts.filter((p) => p.gap);
    for (const p of gaps) p.room = Math.max(1, worked / Math.max(16, 3 * gaps.length));
    const all = parts.reduce((sum, p) => sum + p.room, 0);
    let left = 0;
    for (const p of parts) {
      this.pieces.push({ from: p.from, to: p.to, gap: p.gap, at: left / all, wide: p.room / all });
      left += p.room;
    }
  }

  /** Where an instant lies, between 0 and 1. */
  place(time: number): number {
    if (time <= this.from) return 0;
    const p = this.pieces.find((p) => time <= p.to);
    return p ? p.at + (p.wide * (time - p.from)) / (p.to - p.from) : 1;
  }

  /** The instant at a place. */
  time(place: number): number {
    const p = this.pieces.find((p) => place <= p.at + p.wide) ?? this.pieces[this.pieces.length - 1];
    return Math.min(this.to, Math.max(this.from, p.from + ((place - p.at) / p.wide) * (p.to - p.from)));
  }

  /** Ticks for the part [a, b] of the axis, about `many` of them; none lies in a gap. */
  ticks(a: number, b: number, many: number): Tick[] {
    const out: Tick[] = [];
    const shown = this.pieces.filter((p) => !p.gap).map((p) => ({ p, from: Math.max(p.at, a), to: Math.min(p.at + p.wide, b) })).filter((s) => s.to > s.from);
    const span = shown.reduce((sum, s) => sum + ((s.to - s.from) / s.p.wide) * (s.p.to - s.p.from), 0);
    const room = shown.reduce((sum, s) => sum + s.to - s.from, 0);
    if (span === 0) return out;
    const step = nice((span / many) * ((b - a) / room)), apart = (b - a) / many / 1.6;
    for (const { p, from, to } of shown) {
      const begins = p.from + Math.ceil((this.time(from) - p.from) / step - 1e-6) * step, ends = this.time(to);
      for (let t = begins; t <= ends; t += step) {
        const at = this.place(t), last = out[out.length - 1];
        // Behind a gap ticks count from its end, which has a tick rather than what is before it.
        const anew = p !== this.pieces[0], first = anew && t === p.from;
        if (last && at - last.at < apart) {
          if (!first || this.pieces.some((q) => !q.gap && q.from === last.time)) continue;
          out.pop();
        }
        const label = anew && !first ? `+${since(t - p.from, step)}` : since(t - this.from, step);
        out.push({ at, time: t, label: last?.label === label ? "" : label });
      }
    }
    return out;
  }
}

const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000];

/** The step of ticks that is not smaller than ms. */
export function nice(ms: number): number {
  const hour = 3_600_000;
  return steps.find((s) => s >= ms) ?? Math.ceil(ms / hour) * hour;
}

/** How long after the beginning, as exact as the step of the ticks asks for. */
export function since(ms: number, step = 1): string {
  const s = ms / 1000;
  if (ms === 0) return "0";
  if (ms < 1000 && step < 1000) return `${Math.round(ms)} ms`;
  if (s < 60) return `${s.toFixed(step >= 1000 ? 0 : step >= 100 ? 1 : 2)} s`;
  const m = Math.floor(s / 60);
  if (m < 60) return `${m}m ${String(Math.floor(s % 60)).padStart(2, "0")}s`;
  const h = Math.floor(m / 60);
  return h < 48 ? `${h}h ${String(m % 60).padStart(2, "0")}m` : `${Math.floor(h / 24)}d ${h % 24}h`;
}

/** A part of the axis that is looked at, moved and zoomed within 0 and 1. */
export interface Look {
  a: number;
  b: number;
}

const closest = 0.0005;

/** Zooms by a factor around a place; a factor below 1 shows less. */
export function zoom(l: Look, factor: number, around = (l.a + l.b) / 2): Look {
  const wide = Math.min(1, Math.max(closest, (l.b - l.a) * factor));
  return within(around - ((around - l.a) / (l.b - l.a)) * wide, wide);
}

/** Moves by a part of what is shown. */
export const move = (l: Look, part: number): Look => within(l.a + (l.b - l.a) * part, l.b - l.a);

/** Shows what lies between two places, in whichever order. */
export function between(x: number, y: number): Look {
  const from = Math.min(x, y), wide = Math.max(closest, Math.abs(y - x));
  return within(from, wide);
}

function within(a: number, wide: number): Look {
  const from = Math.min(Math.max(0, a), 1 - wide);
  return { a: from, b: from + wide };
}
