// Work that is done again and again while somebody looks.
import { cleanup } from "./dom.js";

/** Does the work now, and again so many milliseconds after it ended, as long as the page can
 *  be seen and what asked for it is there. The function that it gives does it at once. */
export function poll(work: () => Promise<void>, every: number): () => void {
  let ended = false, busy = false, again = false, timer = 0;
  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    if (busy) again = true;
    if (ended || busy || document.hidden) return;
    [busy, again] = [true, false];
    await work().catch(() => undefined);
    busy = false;
    if (!ended) timer = setTimeout(() => void turn(), again ? 0 : every);
  };
  const seen = () => void turn();
  document.addEventListener("visibilitychange", seen);
  cleanup(() => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
  });
  seen();
  return seen;
}
