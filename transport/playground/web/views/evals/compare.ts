// Two runs beside each other: each case once, its iterations together.
import { spentTokens } from "./sums.js";
import { plainId } from "./tree.js";
import type { Result, Run, Verdict } from "./types.js";

export type Change = "worse" | "better" | "changed" | "same" | "added" | "removed";

export interface Side {
  verdict: Verdict;
  iterations: number;
  passed: number;
  failed: number;
  /** Sums over the iterations. */
  tokens: number;
  /** Null where a price is not known. */
  usd: number | null;
  ms: number;
}

export interface Pair {
  id: string;
  change: Change;
  before?: Side;
  after?: Side;
}

export interface Comparison {
  pairs: Pair[];
  counts: Record<Change, number>;
}

// From the worst; what was skipped says the least.
const order: readonly Verdict[] = ["failed", "scored", "passed", "skipped"];

export function compare(before: Run, after: Run): Comparison {
  const old = sides(before.results ?? []), now = sides(after.results ?? []);
  const ids = [...now.keys(), ...[...old.keys()].filter((id) => !now.has(id))];
  const pairs = ids.map((id) => ({ id, change: change(old.get(id), now.get(id)), before: old.get(id), after: now.get(id) }));
  const counts: Record<Change, number> = { worse: 0, better: 0, changed: 0, same: 0, added: 0, removed: 0 };
  for (const p of pairs) counts[p.change]++;
  return { pairs, counts };
}

function sides(results: readonly Result[]): Map<string, Side> {
  const out = new Map<string, Side>();
  for (const r of results) {
    const id = plainId(r), s = out.get(id) ?? { verdict: "skipped", iterations: 0, passed: 0, failed: 0, tokens: 0, usd: 0, ms: 0 };
    if (order.indexOf(r.verdict) < order.indexOf(s.verdict)) s.verdict = r.verdict;
    s.iterations++;
    if (r.verdict === "passed") s.passed++;
    if (r.verdict === "failed") s.failed++;
    s.tokens += spentTokens(r.metrics);
    s.usd = sum(s.usd, r);
    s.ms += r.durationMs;
    out.set(id, s);
  }
  return out;
}

// A case that asked no model costs nothing, whatever is known of prices.
function sum(usd: number | null, r: Result): number | null {
  if (r.metrics.steps === 0 && r.metrics.judgeCalls === 0 && spentTokens(r.metrics) === 0) return usd;
  return usd === null || r.metrics.costUsd === null ? null : usd + r.metrics.costUsd;
}

// The worst verdict weighs first, then which part of the iterations passed, then which failed.
function change(old: Side | undefined, now: Side | undefined): Change {
  if (!old) return "added";
  if (!now) return "removed";
  if ((old.verdict === "skipped") !== (now.verdict === "skipped")) return "changed";
  const better = order.indexOf(now.verdict) - order.indexOf(old.verdict) || now.passed * old.iterations - old.passed * now.iterations || old.failed * now.iterations - now.failed * old.iterations;
  return better > 0 ? "better" : better < 0 ? "worse" : "same";
}

/** How much more, such as "+16 %"; nothing where it is none or there is nothing to compare with. */
export function more(before: number | null | undefined, after: number | null | undefined): string {
  if (!before || after === null || after === undefined || before === after) return "";
  const part = ((after - before) / before) * 100, n = Math.abs(part) < 10 ? Math.abs(part).toFixed(1) : Math.round(Math.abs(part)).toLocaleString("en");
  return Number(n) === 0 ? "" : `${part < 0 ? "−" : "+"}${n} %`;
}
