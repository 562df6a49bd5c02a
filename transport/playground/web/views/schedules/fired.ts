// The sessions that schedules own, asked of the host.
import { get } from "../../api.js";
import { bySchedule, merged, most, type Opened } from "./opened.js";

interface Timed {
  id: string;
  lastFired?: string;
}

const page = 200;

/** Gives what asks for the newest sessions, and once after each firing for those of a schedule
 *  that has few among them: what is older than the newest does not change. */
export function opener(): (all: readonly Timed[]) => Promise<Map<string, Opened[]>> {
  const known = new Map<string, { fired: string; sessions: readonly Opened[] }>();
  const older = async (s: Timed & { lastFired: string }, found: readonly Opened[]): Promise<Opened[]> => {
    let k = known.get(s.id);
    if (k?.fired !== s.lastFired) k = { fired: s.lastFired, sessions: (await get(`/v1/sessions?limit=${most}&schedule=${encodeURIComponent(s.id)}`)).sessions };
    const sessions = merged(found, k.sessions);
    known.set(s.id, { ...k, sessions });
    return sessions;
  };
  return async (all) => {
    const newest: Opened[] = (await get(`/v1/sessions?limit=${page}`)).sessions, found = bySchedule(newest);
    if (newest.length < page) return found;
    for (const { id, lastFired } of all) {
      const own = found.get(id) ?? [];
      if (lastFired && own.length < most) found.set(id, await older({ id, lastFired }, own));
    }
    return found;
  };
}
