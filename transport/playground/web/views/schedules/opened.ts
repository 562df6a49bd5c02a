// What schedules opened, picked from a list of sessions.
export interface Opened {
  id: string;
  title?: string;
  status: string;
  lastError?: string;
  createdAt: string;
  principal: { kind: string; id: string };
}

/** How many are shown of each. */
export const most = 3;

/** Picks those of each schedule: what opens a session says so as its owner. */
export function bySchedule(sessions: readonly Opened[]): Map<string, Opened[]> {
  const out = new Map<string, Opened[]>();
  for (const s of sessions) {
    const id = s.principal.kind === "app" && /^schedule:(.+)$/.exec(s.principal.id)?.[1];
    if (!id) continue;
    const list = out.get(id) ?? [];
    if (list.length < most) out.set(id, [...list, s]);
  }
  return out;
}

/** The newest sessions and those that were known before, each once. */
export function merged(newest: readonly Opened[], before: readonly Opened[]): Opened[] {
  const seen = new Set(newest.map((s) => s.id));
  return [...newest, ...before.filter((s) => !seen.has(s.id))].slice(0, most);
}
