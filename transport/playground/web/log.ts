// The events of a session as they come, kept whole for the views that show a log.
import type { ApiError } from "./api.js";
import { type Signal, signal } from "./dom.js";
import type { LogEvent } from "./session.js";
import { follow, type Link } from "./stream.js";

export interface Log {
  /** In order; it grows, and version says so. */
  events: LogEvent[];
  version: Signal<number>;
  link: Signal<Link>;
  failed: Signal<ApiError | undefined>;
}

/** What a fold of the log is at an index; stepping forward takes only what is new. */
export function upTo<F extends { next: number; take(e: LogEvent): void }>(log: Log, index: () => number, make: () => F): () => F {
  let kept = make();
  return () => {
    log.version();
    const n = index();
    if (kept.next > n + 1) kept = make();
    for (let i = kept.next; i <= n && i < log.events.length; i++) kept.take(log.events[i]);
    return kept;
  };
}

/** Follows a session until its owner ends. Batches that come within a frame are one. */
export function openLog(id: string, take: (e: LogEvent) => void = () => undefined): Log {
  const events: LogEvent[] = [], version = signal(0), failed = signal<ApiError | undefined>(undefined);
  let asked = false;
  const link = follow(
    id,
    0,
    (batch) => {
      for (const e of batch) {
        events.push(e);
        take(e);
      }
      if (asked) return;
      asked = true;
      setTimeout(() => {
        asked = false;
        version.set(version.peek() + 1);
      }, 16);
    },
    (e) => failed.set(e),
  );
  return { events, version, link, failed };
}
