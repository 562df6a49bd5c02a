// Pages of sessions, the newest first, while the sessions change.
export interface Row {
  id: string;
  title?: string;
  channelId: string;
  mode: string;
  purpose: string;
  status: string;
  createdAt: string;
  updatedAt: string;
  turns: number;
  lastMessage?: string;
  /** Why the turn that ended last failed. */
  lastError?: string;
  usage: any;
  cost?: { totalUsd: number };
  principal: { kind: string; id: string; issuer?: string; tenant?: string };
  forkedFrom?: { sessionId: string; index: number };
}

export interface Pages {
  rows: Row[];
  /** Where the next page begins; empty: there is none. */
  cursor: string;
}

export interface Wish {
  q: string;
  status: string;
  purpose: string;
}

/** Where a page is asked for. */
export function address(w: Wish, limit: number, cursor = ""): string {
  const all = { limit: String(limit), q: w.q.trim(), status: w.status, purpose: w.purpose, cursor };
  return `/v1/sessions?${Object.entries(all).filter(([, value]) => value !== "").map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

/** The pages that are known with their first one asked for again. What was on the first page
 *  and is not any more is gone, or does not fit any more. */
export function renewed(old: Pages, first: Pages): Pages {
  if (first.cursor === "" || first.rows.length === 0) return first;
  const seen = new Set(first.rows.map((r) => r.id)), end = Date.parse(first.rows[first.rows.length - 1].updatedAt);
  const rest = old.rows.filter((r) => !seen.has(r.id) && Date.parse(r.updatedAt) <= end);
  return rest.length === 0 ? first : { rows: [...first.rows, ...rest], cursor: old.cursor };
}

/** The pages with one more at their end; a session that moved stays where it is newer. */
export function continued(old: Pages, next: Pages): Pages {
  const seen = new Set(old.rows.map((r) => r.id));
  return { rows: [...old.rows, ...next.rows.filter((r) => !seen.has(r.id))], cursor: next.cursor };
}

/** What a session is besides a conversation that somebody began. */
export function kinds(r: Row): string[] {
  return [r.mode === "task" ? "task" : "", r.purpose === "eval" ? "eval" : "", r.forkedFrom ? "fork" : ""].filter(Boolean);
}

/** Whether a run of evals has a text in what people know it by. */
export function fits(run: any, words: string): boolean {
  const all = [run.runId, run.status, run.model, ...(run.filterIds ?? []), ...(run.tags ?? [])].join(" ").toLowerCase();
  return words.toLowerCase().split(/\s+/).every((w) => all.includes(w));
}
