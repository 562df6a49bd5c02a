// A run as it stands, asked for until it has ended.
import { ApiError, askHost, path } from "../../api.js";
import { cleanup, computed, effect, type Signal, signal } from "../../dom.js";
import { next, type Pace, soonest } from "./poll.js";
import type { Run } from "./types.js";

export interface Followed {
  run: Signal<Run | undefined>;
  /** Why there is none to see. */
  failed: Signal<string>;
  /** Says that the host does not answer now; it is asked again. */
  lost: Signal<boolean>;
  /** Milliseconds since the run began, which go on between answers. */
  elapsed: () => number;
}

const mayComeBack = (e: unknown): boolean => !(e instanceof ApiError) || e.status === 429 || e.status >= 502;

/** Follows a run until its owner ends. */
export function follow(id: string, first?: Run): Followed {
  const run = signal<Run | undefined>(first), failed = signal(""), lost = signal(false), asked = signal(Date.now()), now = signal(Date.now());
  let pace: Pace = { wait: soonest, done: -1 }, timer = 0, ended = false;
  const abort = new AbortController();
  const ask = async () => {
    const from = performance.now();
    let done: number | undefined;
    try {
      const r: Run = (await askHost("GET", path`/v1/dev/evals/runs/${id}`, undefined, abort.signal)).run;
      if (ended) return;
      lost.set(false);
      asked.set(Date.now());
      now.set(Date.now());
      run.set(r);
      if (r.status !== "running") return;
      done = r.totals.done;
    } catch (e) {
      if (ended) return;
      if (!mayComeBack(e)) return failed.set((e as Error).message);
      lost.set(true);
    }
    const n = next(pace, done, performance.now() - from, document.hidden);
    pace = n.pace;
    timer = window.setTimeout(ask, n.sleep);
  };
  void ask();
  const ticks = ticking(() => run()?.status === "running", now);
  cleanup(() => {
    ended = true;
    abort.abort();
    clearTimeout(timer);
    ticks();
  });
  return { run, failed, lost, elapsed: () => { const r = run(); return !r ? 0 : r.status === "running" ? r.durationMs + Math.max(0, now() - asked()) : r.durationMs; } };
}

// ticking moves a clock each second while something goes on.
function ticking(on: () => boolean, now: Signal<number>): () => void {
  let timer = 0;
  const going = computed(on);
  const stop = effect(() => {
    clearInterval(timer);
    if (going()) timer = window.setInterval(() => now.set(Date.now()), 1000);
  });
  return () => (stop(), clearInterval(timer));
}

/** Asks the host to end a run; its cases may take a moment. */
export const cancel = (id: string): Promise<unknown> => askHost("POST", path`/v1/dev/evals/runs/${id}/cancel`);
