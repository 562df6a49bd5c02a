// How often the page asks how a run goes.

/** Milliseconds: often while something happens, then less often. */
export const soonest = 250, latestWait = 3000;
/** How many times as long as an answer took it waits at least: each has all results so far. */
const breaths = 4;

export interface Pace {
  wait: number;
  done: number;
}

/** What comes after an answer, or after none: how long to wait, and from there. */
export function next(p: Pace, done: number | undefined, took: number, hidden: boolean): { sleep: number; pace: Pace } {
  const moved = done !== undefined && done !== p.done, wait = moved ? soonest : p.wait;
  return { sleep: Math.max(hidden ? latestWait : wait, breaths * took), pace: { wait: Math.min(2 * wait, latestWait), done: done ?? p.done } };
}
