// Tokens and money of many sessions, by day, by model, by channel, and the
// dearest of them. Nothing here
// touches the page.
import { type Cost, plus, tokens, type Usage } from "../../format.js";

export interface Row {
  id: string;
  title?: string;
  lastMessage?: string;
  createdAt: string;
  updatedAt: string;
  turns: number;
  channelId: string;
  purpose: string;
  usage?: Usage;
  cost?: Cost;
}

export interface Sum {
  name: string;
  sessions: number;
  turns: number;
  usage: Usage;
  /** Undefined where no price is known. */
  usd?: number;
  /** How many sessions have no known price. */
  unpriced: number;
}

const none = (): Usage => ({ inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 });

function into(sum: Sum, r: Row): void {
  sum.sessions++;
  sum.turns += r.turns;
  if (r.usage) sum.usage = plus(sum.usage, r.usage);
  if (r.cost) sum.usd = (sum.usd ?? 0) + r.cost.totalUsd;
  else if (tokens(r.usage) > 0) sum.unpriced++;
}

export function sum(name: string, all: readonly Row[]): Sum {
  const out: Sum = { name, sessions: 0, turns: 0, usage: none(), unpriced: 0 };
  all.forEach((r) => into(out, r));
  return out;
}

/** The day of an instant, where the reader is: 2026-11-30. */
function dayOf(at: string | number): string {
  const d = new Date(at), two = (n: number) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())}`;
}

function grouped(all: readonly Row[], name: (r: Row) => string): Map<string, Row[]> {
  const out = new Map<string, Row[]>();
  for (const r of all) {
    const group = out.get(name(r));
    if (group) group.push(r);
    else out.set(name(r), [r]);
  }
  return out;
}

/** The rows of whole days up to today, where the reader is. */
export function within(all: readonly Row[], days: number, today: number): Row[] {
  const d = new Date(today);
  d.setHours(0, 0, 0, 0);
  d.setDate(d.getDate() - (days - 1));
  return all.filter((r) => Date.parse(r.updatedAt) >= d.getTime());
}

/** The days up to today, oldest first; those without sessions are there too. */
export function byDay(all: readonly Row[], days: number, today: number): Sum[] {
  const groups = grouped(all, (r) => dayOf(r.updatedAt)), out: Sum[] = [];
  const d = new Date(today);
  d.setHours(12, 0, 0, 0);
  for (let i = 0; i < days; i++) {
    const day = dayOf(d.getTime());
    out.unshift(sum(day, groups.get(day) ?? []));
    d.setDate(d.getDate() - 1);
  }
  return out;
}

/** By the model that was paid, the dearest first. */
export function byModel(all: readonly Row[]): Sum[] {
  const groups = grouped(all, (r) => r.cost?.model ?? "");
  return [...groups].map(([name, rows]) => sum(name, rows)).sort(dearest);
}

/** By what the sessions came through, those of evals apart. */
export function byChannel(all: readonly Row[]): Sum[] {
  const groups = grouped(all, (r) => (r.purpose === "eval" ? "evals" : r.channelId));
  return [...groups].map(([name, rows]) => sum(name, rows)).sort(dearest);
}

const dearest = (a: Sum, b: Sum): number => (b.usd ?? 0) - (a.usd ?? 0) || tokens(b.usage) - tokens(a.usage) || a.name.localeCompare(b.name);

/** The sessions that cost most, and then those with the most tokens. */
export function top(all: readonly Row[], many: number): Row[] {
  const used = (r: Row) => tokens(r.usage);
  return [...all].sort((a, b) => (b.cost?.totalUsd ?? 0) - (a.cost?.totalUsd ?? 0) || used(b) - used(a)).slice(0, many);
}

/** Round values for the lines of a chart, from 0 to at least most. */
export function scale(most: number, many = 4): number[] {
  if (!(most > 0)) return [0, 1];
  const rough = most / many, unit = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 2.5, 5, 10].map((f) => f * unit).find((s) => s >= rough * (1 - 1e-9))!;
  const out: number[] = [];
  for (let i = 0; out.length === 0 || out[out.length - 1] < most * (1 - 1e-9); i++) out.push(Number((i * step).toPrecision(12)));
  return out;
}
