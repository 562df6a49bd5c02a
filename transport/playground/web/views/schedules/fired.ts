// The sessions that a schedule opened, asked of the host.
import { get } from "../../api.js";
import { bySchedule, type Opened } from "./opened.js";

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
