// What the page of evals knows: the cases, the runs, and what is chosen.
import { ApiError, askHost } from "../../api.js";
import { cleanup, computed, effect, root, type Signal, signal, untracked } from "../../dom.js";
import { say } from "../../shell.js";
import { cancel, follow, type Followed } from "./follow.js";
import { latest } from "./sums.js";
import { filtered, leaves, type Node, selectorsOf, treeOf } from "./tree.js";
import type { Listing, Run, Selection, Verdict } from "./types.js";

export interface Model {
  listing: Signal<Listing | undefined>;
  /** Says that the project has no evals. */
  missing: Signal<boolean>;
  /** Says that the host keeps them from who looks. */
  refused: Signal<boolean>;
  history: Signal<Run[] | undefined>;
  /** The run under way, or the newest one. */
  now: Signal<Followed | undefined>;
  running: () => boolean;
  last: () => Map<string, Verdict | "running">;
  words: Signal<string>;
  tags: Signal<ReadonlySet<string>>;
  chosen: Signal<ReadonlySet<string>>;
  verbose: Signal<boolean>;
  /** The whole tree, and what of it fits the filter. */
  whole: () => Node;
  shown: () => Node;
  /** What the button runs: what is chosen, else what is tagged, else all. */
  selection: () => Selection;
  note: Signal<string>;
  load(): Promise<void>;
  start(s: Selection): Promise<void>;
  stop(): Promise<void>;
}

export function model(): Model {
  const listing = signal<Listing | undefined>(undefined), missing = signal(false), refused = signal(false), history = signal<Run[] | undefined>(undefined);
  const now = signal<Followed | undefined>(undefined), note = signal(""), words = signal(""), verbose = signal(true);
  const tags = signal<ReadonlySet<string>>(new Set()), chosen = signal<ReadonlySet<string>>(new Set());
  const whole = computed(() => treeOf(listing() ?? { cases: [], broken: [] }));
  const shown = computed(() => treeOf(filtered(listing() ?? { cases: [], broken: [] }, { words: words(), tags: tags() })));
  const running = computed(() => now()?.run()?.status === "running");
  let drop = () => {}, ended = false, before: Run | undefined;
  const watch = (r: Run) => {
    if (ended) return;
    before = now.peek()?.run.peek() ?? before;
    drop();
    root((end) => ((drop = end), now.set(follow(r.runId, r))));
  };
  const refresh = async () => {
    const runs: Run[] = (await askHost("GET", "/v1/dev/evals/runs")).runs;
    history.set(runs);
    if (runs.length > 0 && (now.peek()?.run.peek()?.runId !== runs[0].runId)) watch(runs.find((r) => r.status === "running") ?? runs[0]);
  };
  const load = async () => {
    try {
      await Promise.all([askHost("GET", "/v1/dev/evals").then((l) => listing.set(l)), refresh()]);
    } catch (e) {
      if (e instanceof ApiError && e.status === 404) missing.set(true);
      else if (e instanceof ApiError && e.status === 401) refused.set(true);
      else say(e);
    }
  };
  const start = async (s: Selection) => {
    note.set("");
    try {
      const reply = await askHost("POST", "/v1/dev/evals/runs", { ...(s.ids.length > 0 && { filterIds: s.ids }), ...(s.tags.length > 0 && { tags: s.tags }), verbose: verbose.peek() });
      watch(reply.run);
    } catch (e) {
      if (!(e instanceof ApiError && e.code === "run_active")) return say(e);
      note.set("One run at a time is under way for each agent. Yours did not start: this one goes on.");
      await refresh().catch(say);
    }
  };
  let went = false;
  effect(() => {
    const is = running();
    if (went && !is) untracked(() => (note.set(""), void refresh().catch(say)));
    went = is;
  });
  cleanup(() => ((ended = true), drop()));
  void load();
  return {
    listing, missing, refused, history, now, running, note, words, tags, chosen, verbose, whole, shown, load, start,
    last: computed(() => latest([before, now()?.run()])),
    selection: () => wanted(whole(), chosen(), tags()),
    stop: () => cancel(now.peek()?.run.peek()?.runId ?? "").then(() => undefined, say),
  };
}

function wanted(whole: Node, chosen: ReadonlySet<string>, tags: ReadonlySet<string>): Selection {
  const there = new Set(leaves(whole).filter((id) => chosen.has(id))); // a file may have gone
  if (there.size > 0) return { ids: selectorsOf(whole, there), tags: [] };
  return { ids: [], tags: [...tags].sort() };
}
