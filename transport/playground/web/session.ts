// Folds a session's events into what people see: turns, steps, texts, calls. The fold
// changes what it is given, so that 10,000 events cost 10,000 small steps; who shows it
// reads the version.
import type { Usage, Cost } from "./format.js";
import { table } from "./table.js";

export interface LogEvent {
  type: string;
  index: number;
  sessionId: string;
  turnId?: string;
  at: string;
  data: any;
  /** The line as it came. */
  line: string;
}

export interface Call {
  kind: "call";
  id: string;
  name: string;
  args: unknown;
  effect: string;
  at: number;
  endedAt?: number;
  output?: unknown;
  status: "running" | "waiting" | "completed" | "failed" | "denied";
  code?: string;
  stubbed?: boolean;
  /** What a person is asked to decide. */
  approval?: { requestId: string; args: unknown; expiresAt?: string; line: string };
  /** What was decided, and by whom. */
  decided?: { requestId: string; decision: string; by?: string; reason?: string };
  /** A subagent's work lies inside its call. */
  subagent?: { name: string; task: string };
  items: Item[];
  index: number;
}

export interface Text {
  kind: "text" | "reasoning";
  text: string;
  done: boolean;
  index: number;
}

export interface Step {
  kind: "step";
  step: number;
  attempt: number;
  model?: string;
  at: number;
  endedAt?: number;
  usage?: Usage;
  repair?: string;
  index: number;
}

/** What else happened, in a line. */
export interface Note {
  kind: "note";
  text: string;
  tone: "plain" | "bad";
  artifactId?: string;
  link?: string;
  index: number;
}

export type Item = Call | Text | Step | Note;

export interface Turn {
  id: string;
  text: string;
  from: string;
  at: number;
  startedAt?: number;
  endedAt?: number;
  model?: string;
  status: "queued" | "running" | "waiting" | "completed" | "failed" | "cancelled";
  error?: string;
  code?: string;
  result?: unknown;
  usage?: Usage;
  cost?: Cost;
  items: Item[];
  index: number;
}

export class Session {
  turns: Turn[] = [];
  /** Direct calls and other events of no turn. */
  loose: Item[] = [];
  started: any;
  title = "";
  /** The newest message or reply, as the session's row has it. */
  lastMessage = "";
  /** When the newest event was written. */
  changed = "";
  status: "running" | "parked" | "waiting" | "completed" | "failed" = "running";
  next = 0;
  private byTurn = new Map<string, Turn>();
  private calls = new Map<string, Call>();

  constructor(readonly id: string) {}

  /** Those that wait for a person, oldest first. */
  get waiting(): Call[] {
    return [...this.calls.values()].filter((c) => c.status === "waiting" && c.approval);
  }

  get last(): Turn | undefined {
    return this.turns[this.turns.length - 1];
  }

  /** Why the turn that ended last failed; none: it did not, or another runs. */
  get lastError(): string | undefined {
    const t = this.turns.findLast((t) => t.status !== "queued");
    return t?.status === "failed" ? t.error || t.code || "failed" : undefined;
  }

  call(id: string): Call | undefined {
    return this.calls.get(id);
  }

  /** Takes the next event; one that was taken before is left out. */
  take(e: LogEvent): void {
    if (e.index < this.next) return;
    this.next = e.index + 1;
    if (e.at > this.changed) this.changed = e.at;
    folds[e.type]?.call(this, e, e.data ?? {}, this.turnOf(e));
  }

  private turnOf(e: LogEvent): Turn | undefined {
    return e.turnId ? this.byTurn.get(e.turnId) : undefined;
  }

  open(turn: Turn): void {
    this.byTurn.set(turn.id, turn);
    this.turns.push(turn);
  }

  know(c: Call): void {
    this.calls.set(c.id, c);
  }

  /** Where an event's items go: into the subagent's call that it is part of, the turn, or loose. */
  items(e: LogEvent, turn: Turn | undefined): Item[] {
    return this.calls.get(e.data?.parentCallId)?.items ?? turn?.items ?? this.loose;
  }

  add(e: LogEvent, turn: Turn | undefined, item: Item): void {
    this.items(e, turn).push(item);
  }

  note(e: LogEvent, turn: Turn | undefined, text: string, more: Partial<Note> = {}): void {
    this.add(e, turn, { kind: "note", text, tone: "plain", index: e.index, ...more });
  }
}

type Fold = (this: Session, e: LogEvent, d: any, turn: Turn | undefined) => void;
const time = (e: LogEvent) => Date.parse(e.at);
const brief = (text = ""): string => [...text.slice(0, 400)].slice(0, 200).join("");

function piece(kind: "text" | "reasoning", done: boolean): Fold {
  return function (e, d, turn) {
    const items = this.items(e, turn);
    const open = growing(items, kind);
    if (open) [open.text, open.done] = [done ? d.text : open.text + d.text, done];
    else if (d.text) items.push({ kind, text: d.text, done, index: e.index });
  };
}

// growing is the text that is being said: no step before the last one says anything more.
function growing(items: Item[], kind: Text["kind"]): Text | undefined {
  for (let i = items.length - 1; i >= 0; i--) {
    const x = items[i];
    if (x.kind === "step") return;
    if (x.kind === kind && !x.done) return x;
  }
}

const folds = table<Fold>({
  "session.started"(_, d) {
    this.started = d;
    this.title = d.title ?? "";
  },
  "session.updated"(_, d) {
    this.title = d.title ?? this.title;
  },
  "session.waiting"() {
    this.status = "waiting";
  },
  "session.completed"() {
    this.status = "completed";
  },
  "session.failed"(e, d, turn) {
    this.status = "failed";
    this.note(e, turn, d.message, { tone: "bad" });
  },
  "message.received"(e, d, turn) {
    this.lastMessage = brief(d.text);
    if (turn) turn.text += `\n\n${d.text}`; // messages that came together open one turn
    else this.open({ id: e.turnId!, text: d.text, from: d.from, at: time(e), status: "queued", items: [], index: e.index });
    this.status = "running";
  },
  "turn.started"(e, d, turn) {
    if (turn) Object.assign(turn, { status: "running", startedAt: time(e), model: d.model });
    this.status = "running";
  },
  "turn.resumed"(e, d, turn) {
    this.note(e, turn, `taken up again after a restart of the host (${d.attempt})`);
  },
  "step.started"(e, d, turn) {
    const items = this.items(e, turn);
    if (d.attempt > 1) dropOpen(items); // what the attempt before it said does not count
    items.push({ kind: "step", step: d.step, attempt: d.attempt, model: d.model, repair: d.repair, at: time(e), index: e.index });
  },
  "step.completed"(e, d, turn) {
    const step = this.items(e, turn).findLast((x): x is Step => x.kind === "step" && x.step === d.step);
    if (step) [step.endedAt, step.usage] = [time(e), d.usage];
  },
  "reasoning.appended": piece("reasoning", false),
  "reasoning.completed": piece("reasoning", true),
  "message.appended": piece("text", false),
  "message.completed"(e, d, turn) {
    if (!d.parentCallId && d.finishReason !== "tool-calls") this.lastMessage = brief(d.text);
    piece("text", true).call(this, e, d, turn);
  },
  "actions.requested"(e, d, turn) {
    for (const c of d.calls ?? []) {
      const call: Call = { kind: "call", id: c.callId, name: c.toolName, args: c.args, effect: c.effect, at: time(e), status: "running", items: [], index: e.index };
      this.know(call);
      this.add(e, turn, call);
    }
  },
  "input.requested"(e, d, turn) {
    const call = this.call(d.callId);
    if (call) Object.assign(call, { status: "waiting", approval: { requestId: d.requestId, args: d.args, expiresAt: d.expiresAt, line: e.line } });
    if (turn) turn.status = "waiting";
    this.status = "parked";
  },
  "input.resolved"(_, d, turn) {
    const call = this.call(d.callId);
    if (call) Object.assign(call, { status: "running", approval: undefined, decided: { requestId: d.requestId, decision: d.decision, by: d.by?.id, reason: d.reason } });
    if (turn && this.waiting.length === 0) turn.status = "running";
    if (this.waiting.length === 0) this.status = "running";
  },
  "action.result"(e, d) {
    const call = this.call(d.callId);
    if (!call) return;
    const denied = d.code === "denied" || d.code === "expired";
    Object.assign(call, { output: d.output, code: d.code, stubbed: d.stubbed, endedAt: time(e), approval: undefined, status: denied ? "denied" : d.isError ? "failed" : "completed" });
  },
  "subagent.called"(_, d) {
    const call = this.call(d.callId);
    if (call) call.subagent = { name: d.name, task: d.task };
  },
  "skill.loaded"(e, d, turn) {
    this.note(e, turn, `opened the skill ${d.name}`);
  },
  "artifact.tagged"(e, d, turn) {
    this.note(e, turn, `tagged ${d.artifact.kind}: ${d.artifact.title || d.artifact.key}`, { artifactId: d.artifact.id });
  },
  "authorization.requested"(e, d, turn) {
    this.note(e, turn, `${d.connection} wants to be authorized`, { link: d.url });
    this.status = "parked";
  },
  "authorization.completed"(e, d, turn) {
    this.note(e, turn, `${d.connection}: ${d.outcome}`);
    this.status = "running";
  },
  "context.compacted"(e, d, turn) {
    this.note(e, turn, `the context was summed up: ${d.tokensBefore} → ${d.tokensAfter} tokens`);
  },
  "reminder.set"(e, d, turn) {
    this.note(e, turn, `set a reminder: ${d.message}`);
  },
  "reminder.fired"(e, _, turn) {
    this.note(e, turn, "a reminder fired");
  },
  "turn.completed"(e, d, turn) {
    if (turn) Object.assign(turn, { status: "completed", endedAt: time(e), usage: d.usage, cost: d.cost, result: d.result });
  },
  "turn.failed"(e, d, turn) {
    if (!turn) return;
    Object.assign(turn, { status: d.status === "cancelled" ? "cancelled" : "failed", endedAt: time(e), error: d.message, code: d.code, usage: d.usage, cost: d.cost });
    close(turn.items);
  },
});

function dropOpen(items: Item[]): void {
  for (let i = items.length - 1; i >= 0 && items[i].kind !== "step"; i--) {
    const x = items[i];
    if ((x.kind === "text" || x.kind === "reasoning") && !x.done) items.splice(i, 1);
  }
}

function close(items: Item[]): void {
  for (const x of items) {
    if (x.kind === "text" || x.kind === "reasoning") x.done = true;
    if (x.kind === "call") close(x.items);
  }
}
