// The sessions that a schedule opened, the newest first.
import { get } from "../../api.js";

export interface Opened {
  id: string;
  title?: string;
  status: string;
  createdAt: string;
  principal: { kind: string; id: string };
}

/** How many are shown of each. */
const most = 3;

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

/** Asks for the newest sessions, and by its name for those of a schedule that has none among
 *  them: a session of a schedule is called as it is. */
export async function openedBy(ids: readonly string[]): Promise<Map<string, Opened[]>> {
  const newest: Opened[] = (await get("/v1/sessions?limit=200")).sessions, found = bySchedule(newest);
  if (newest.length < 200) return found;
  for (const id of ids.filter((id) => !found.has(id))) {
    const own = bySchedule((await get(`/v1/sessions?limit=20&q=${encodeURIComponent(id)}`)).sessions).get(id);
    if (own) found.set(id, own);
  }
  return found;
}
