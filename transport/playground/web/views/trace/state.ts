// The session as it was at an index: what the host says, and meanwhile what the log says.
import { ApiError, get, path } from "../../api.js";
import { type Child, cleanup, effect, h, signal } from "../../dom.js";
import { pretty, visible } from "../../format.js";
import { type Call, type Item, Session } from "../../session.js";
import { say } from "../../shell.js";
import { pairs, section, usage } from "./detail.js";
import type { Model } from "./model.js";
import { plus, used } from "./rows.js";

/** What the host folds: GET …/state?index=. */
interface Told {
  index: number;
  status: string;
  turnId?: string;
  openCalls?: { callId: string; toolName?: string }[];
  usage?: any;
}

export function state(m: Model): Child {
  const told = signal<Told | undefined>(undefined), index = () => m.at() ?? (m.log.version(), m.log.events.length - 1);
  effect(() => {
    const n = index(), stop = new AbortController();
    if (n < 0) return;
    const timer = setTimeout(() => void ask(n, stop.signal), 150);
    cleanup(() => {
      clearTimeout(timer);
      stop.abort();
    });
  });
  async function ask(n: number, stop: AbortSignal): Promise<void> {
    try {
      told.set(await get(`${path`/v1/session/${m.id}/state`}?index=${n}`, stop));
    } catch (e) {
      if (!stop.aborted && !(e instanceof ApiError && e.status === 404)) say(e);
    }
  }
  const session = upTo(m, index);
  return [
    h("h2", { class: "pane-title" }, () => (m.at() === undefined ? "As it is now" : `As it was at event ${m.at()}`)),
    () => summaryOf(m, session(), told()?.index === index() ? told() : undefined),
    h("p", { class: "dim small" }, "A fork from here is a new session with the turns that had ended by then."),
    () => calls(session()),
    () => talk(session()),
  ];
}

/** The session's fold up to the index; stepping forward takes only what is new. */
function upTo(m: Model, index: () => number): () => Session {
  let kept = new Session(m.id);
  return () => {
    m.log.version();
    const n = index();
    if (kept.next > n + 1) kept = new Session(m.id);
    for (let i = kept.next; i <= n && i < m.log.events.length; i++) kept.take(m.log.events[i]);
    return kept;
  };
}

function summaryOf(m: Model, s: Session, told: Told | undefined): Child {
  let sum: any = told?.usage;
  if (!sum) for (const t of m.trace().turns.values()) sum = used(t) ? plus(sum, used(t)!) : sum;
  const turn = s.turns.findLast((t) => t.status !== "queued");
  return [
    pairs([
      ["Status", h("span", { class: "chip" }, told?.status ?? s.status)],
      s.title && ["Title", visible(s.title)],
      ["Turns", s.turns.length],
      turn && ["Newest turn", turn.status],
      told?.openCalls && ["Open calls", told.openCalls.length],
      ["Approvals", s.waiting.length],
    ]),
    usage(sum),
  ];
}

function open(items: Item[]): Call[] {
  return items.flatMap((x) => (x.kind === "call" ? [...(x.endedAt === undefined ? [x] : []), ...open(x.items)] : []));
}

function calls(s: Session): Child {
  const all = [...s.turns.flatMap((t) => (t.endedAt === undefined ? open(t.items) : [])), ...open(s.loose)];
  if (all.length === 0) return [];
  return section("Open calls", h("ul", { class: "stack" }, all.map((c) => h("li", { class: "stack-small" }, h("div", { class: "row" }, h("b", null, visible(c.subagent?.name ?? c.name)), h("span", { class: `chip ${c.status === "waiting" ? "warn" : "accent"}` }, c.status === "waiting" ? "waits for a person" : "running")), h("pre", null, pretty(c.args))))));
}

/** The newest of what was said, in short. */
function talk(s: Session): Child {
  const said = s.turns.slice(-6).flatMap((t) => [
    h("p", { class: "said-user" }, visible(t.text.slice(0, 600))),
    ...t.items.map((x) => (x.kind === "text" ? h("p", null, visible(x.text.slice(0, 1200))) : x.kind === "call" ? h("p", { class: "dim small" }, `${x.subagent ? "→ " + visible(x.subagent.name) : visible(x.name)}: ${x.status}`) : null)),
    t.error ? h("p", { class: "bad-text" }, visible(t.error)) : null,
  ]);
  return section("Conversation", said.length > 0 ? h("div", { class: "talk" }, said) : h("p", { class: "dim" }, "Nothing had been said."));
}
