// Follows a session's log by index: a stream that breaks is taken up where it was.
import { ApiError, base, headers, path, refusal } from "./api.js";
import { cleanup, signal } from "./dom.js";
import type { LogEvent } from "./session.js";

export type Link = "connecting" | "live" | "waiting" | "ended";

/** Gives events in batches, in order and each once, until its owner ends. State says how
 *  the connection is; an error that is final ends it. */
export function follow(id: string, from: number, take: (events: LogEvent[]) => void, failed: (e: ApiError) => void) {
  const link = signal<Link>("connecting"), stop = new AbortController();
  cleanup(() => stop.abort());
  void run();
  return link;

  async function run() {
    let next = from, last = "";
    for (let wait = 250; !stop.signal.aborted; wait = Math.min(wait * 2, 5000)) {
      try {
        for await (const batch of read(id, next, stop.signal)) {
          link.set("live");
          wait = 250;
          const fresh = batch.filter((e) => e.index >= next);
          if (fresh.length === 0) continue;
          next = fresh[fresh.length - 1].index + 1;
          last = fresh[fresh.length - 1].type;
          take(fresh);
        }
        if (/^session\.(completed|failed|deleted)$/.test(last)) return link.set("ended");
      } catch (e) {
        if (stop.signal.aborted) return;
        if (e instanceof ApiError && e.status < 500 && e.status !== 429) {
          link.set("ended");
          return failed(e);
        }
      }
      if (stop.signal.aborted) return;
      link.set("waiting");
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

async function* read(id: string, from: number, signal: AbortSignal): AsyncGenerator<LogEvent[]> {
  const r = await fetch(`${base}${path`/v1/session/${id}/stream`}?startIndex=${from}`, { signal, headers: headers({ accept: "application/x-ndjson" }) });
  if (!r.ok) throw await refusal(r);
  yield []; // it is open, whether or not something is there to read
  const reader = r.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (let rest = ""; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    yield lines.filter((l) => l.trim() !== "").map((l) => ({ ...JSON.parse(l), line: l }));
  }
}
