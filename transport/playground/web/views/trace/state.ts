// The session as it was at an index: what the host says, and meanwhile what the log says.
import { ApiError, get, path } from "../../api.js";
import { type Child, cleanup, effect, h, signal } from "../../dom.js";
import { plus, pretty, visible } from "../../format.js";
import { upTo } from "../../log.js";
import { type Call, type Item, Session } from "../../session.js";
import { say } from "../../shell.js";
import { value } from "../chat/value.js";
import { pairs, section, usage } from "./detail.js";
import type { Model } from "./model.js";
import { used } from "./rows.js";

/** What the host folds: GET …/state?index=. */
interface Told {
  index: number;
  status: string;
  turnId?: string;
  openCalls?: { callId: string; toolName: string; args?: unknown; status: string }[];
  approvals?: unknown[];
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
  const session = upTo(m.log, index, () => new Session(m.id)), now = () => (told()?.index === index() ? told() : undefined);
  return [
    h("h2", { class: "pane-title" }, () => (m.at() === undefined ? "As it is now" : `As it was at event ${m.at()}`)),
    () => summaryOf(m, session(), now()),
    h("p", { class: "dim small" }, "A fork from here is a new session with the turns that had ended by then."),
    () => calls(session(), now()),
    () => talk(session()),
  ];
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
      ["Open calls", told?.openCalls?.length ?? openCalls(s).length],
      ["Approvals", told?.approvals?.length ?? s.waiting.length],
    ]),
    usage(sum),
  ];
}

function open(items: Item[]): Call[] {
  return items.flatMap((x) => (x.kind === "call" ? [...(x.endedAt === undefined ? [x] : []), ...open(x.items)] : []));
}

const openCalls = (s: Session): Call[] => [...s.turns.flatMap((t) => (t.endedAt === undefined ? open(t.items) : [])), ...open(s.loose)];

function calls(s: Session, told: Told | undefined): Child {
  const mine = openCalls(s).map((c) => ({ name: c.subagent?.name ?? c.name, args: c.args, waits: c.status === "waiting" }));
  const all = told?.openCalls?.map((c) => ({ name: c.toolName, args: c.args, waits: c.status === "parked" })) ?? mine;
  if (all.length === 0) return [];
  return section(
    "Open calls",
    h("ul", { class: "stack" }, all.map((c) => h("li", { class: "stack-small" }, h("div", { class: "row" }, h("b", null, visible(c.name)), h("span", { class: `chip ${c.waits ? "warn" : "accent"}` }, c.waits ? "waits for a person" : "running")), value("Arguments", () => pretty(c.args))))),
  );
}

/** The newest of what was said, in short. */
function talk(s: Session): Child {
  const said = s.turns.slice(-6).flatMap((t) => [
    h("p", { class: "said-user" }, visible(t.text.slice(0, 600))),
    ...t.items.map((x) => (x.kind === "text" ? h("p", null, visible(x.text.slice(0, 1200))) : x.kind === "call" ? h("p", { class: "dim small" }, `${x.subagent ? "→ " + visible(x.subagent.name) : visible(x.name)}: ${x.status}`) : null)),
    t.error ? h("p", { class: "bad-text" }, visible(t.error.slice(0, 1200))) : null,
  ]);
  return section("Conversation", said.length > 0 ? h("div", { class: "pane-talk" }, said) : h("p", { class: "dim" }, "Nothing had been said."));
}
