// Counts and words of runs and results.
import { duration, plural, tokens, type Usage } from "../../format.js";
import { plainId } from "./tree.js";
import type { Result, Run, Selection, Verdict } from "./types.js";
import { table } from "../../table.js";

export const verdicts: readonly Verdict[] = ["failed", "scored", "passed", "skipped"];
export const tones = table<string>({ passed: "good", failed: "bad", scored: "warn", skipped: "", running: "accent", completed: "good", cancelled: "warn" });
export const signs = table<string>({ passed: "✓", failed: "✗", scored: "~", skipped: "–", running: "●" });

/** How long a run took, in whole seconds while it goes on. */
export const passed = (ms: number, going: boolean): string => (going && ms < 60_000 ? `${Math.floor(ms / 1000)} s` : duration(ms));

/** Such as "2 failed, 10 passed"; what is none is left out. */
const counted = (t: Record<Verdict, number>): string => verdicts.filter((v) => t[v] > 0).map((v) => `${t[v].toLocaleString("en")} ${v}`).join(", ");

/** What a run is of. */
export function selected(s: Selection, most = 3): string {
  const list = (all: string[]) => all.slice(0, most).join(", ") + (all.length > most ? ` and ${all.length - most} more` : "");
  const of = [s.ids.length > 0 && list(s.ids), s.tags.length > 0 && `tagged ${list(s.tags)}`].filter(Boolean);
  return of.length > 0 ? of.join(", ") : "all cases";
}

export const selectionOf = (r: Run): Selection => ({ ids: r.filterIds, tags: r.tags });

/** How it goes, in a sentence. */
export function told(r: Run): string {
  const t = r.totals, left = t.cases - t.done;
  if (r.status === "running") return [`${t.done.toLocaleString("en")} of ${plural(t.cases, "case")} done`, counted(t)].filter(Boolean).join(": ");
  return [`The run ${r.status === "completed" ? "ended" : r.status === "cancelled" ? "was cancelled" : "broke off"}`, [counted(t), left > 0 && `${left.toLocaleString("en")} not run`].filter(Boolean).join(", ")].filter(Boolean).join(": ");
}

/** All tokens, those of judges included. */
export const spentTokens = (s: { usage: Usage }): number => tokens(s.usage);

/** The worst verdict of each case over its iterations, and what is under way. */
export function latest(runs: readonly (Run | undefined)[]): Map<string, Verdict | "running"> {
  const out = new Map<string, Verdict | "running">();
  for (const r of runs) {
    const here = new Map<string, Verdict | "running">();
    for (const x of r?.results ?? []) {
      const id = plainId(x), before = here.get(id) as Verdict | undefined;
      if (!before || verdicts.indexOf(x.verdict) < verdicts.indexOf(before)) here.set(id, x.verdict);
    }
    here.forEach((v, id) => out.set(id, v));
    const repeated = new Map((r?.results ?? []).map((x) => [x.id, plainId(x)]));
    for (const id of r?.running ?? []) out.set(repeated.get(id) ?? id, "running");
  }
  return out;
}

/** The results that have one of the verdicts, none: any, and all words. */
export function shownResults(all: readonly Result[], of: ReadonlySet<Verdict>, words: string): Result[] {
  const want = words.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((r) => (of.size === 0 || of.has(r.verdict)) && want.every((w) => [r.id, ...r.tags, r.description ?? "", r.error?.message ?? ""].join(" ").toLowerCase().includes(w)));
}

/** The result of an id; one without its iteration names the worst of them. */
export function find(all: readonly Result[], id: string): Result | undefined {
  const of = all.filter((r) => r.id === id || plainId(r) === id);
  return of.find((r) => r.id === id) ?? verdicts.map((v) => of.find((r) => r.verdict === v)).find(Boolean);
}

/** A line that says why a case came out as it did. */
export function why(r: Result): string {
  if (r.error) return r.error.message;
  if (r.verdict === "skipped") return r.skipReason ?? "";
  const miss = r.assertions.find((a) => !a.passed && (a.severity === "gate" || r.verdict === "scored"));
  return miss && r.verdict !== "passed" ? [miss.name, miss.message].filter(Boolean).join(": ") : (r.description ?? "");
}
