// What each event does to a trace.
import type { LogEvent } from "../../session.js";
import type { Span, Status, Trace } from "./spans.js";
import { table } from "../../table.js";

type Fold = (t: Trace, e: LogEvent, d: any, at: number, turn: Span | undefined) => void;

/** A moment that is worth a row. */
const mark = (name: (d: any) => string, more: (d: any) => Partial<Span> = () => ({})): Fold => (t, e, d, at, turn) => {
  t.begin(e, "mark", name(d), t.home(e, turn), { to: at, status: "done", ...more(d) });
};

const pieces = (kind: "text" | "reasoning"): Fold => (t, e, d, _, turn) => {
  const step = openStep(t, e, turn);
  const span = (step && openIn(step, kind)) ?? (d.text ? t.begin(e, kind, kind === "text" ? "Reply" : "Reasoning", step ?? t.home(e, turn), { facts: { text: "" } }) : undefined);
  if (!span) return;
  span.facts.text += d.text;
  span.last = e.index;
  if (step) [step.began, step.last] = [step.began ?? t.last, e.index];
};

const whole = (kind: "text" | "reasoning"): Fold => (t, e, d, at, turn) => {
  const step = openStep(t, e, turn), open = step && openIn(step, kind);
  if (step && d.finishReason) step.facts.finish = d.finishReason;
  if (!open && !d.text) return;
  const span = open ?? t.begin(e, kind, kind === "text" ? "Reply" : "Reasoning", step ?? t.home(e, turn));
  span.facts.text = d.text;
  t.end(span, e, "done", at);
};

function openStep(t: Trace, e: LogEvent, turn: Span | undefined): Span | undefined {
  const step = t.newest(t.home(e, turn), "step");
  return step && step.to === undefined ? step : undefined;
}

const openIn = (step: Span, kind: string): Span | undefined => step.children.findLast((s) => s.kind === kind && s.to === undefined);

const endsTurn = (status: (d: any) => Status): Fold => (t, e, d, at, turn) => {
  if (!turn) return;
  Object.assign(turn, { usage: d.usage, cost: d.cost });
  Object.assign(turn.facts, { error: d.message, code: d.code, result: d.result });
  const step = openStep(t, e, turn);
  t.close(turn, e, status(d) === "done" ? "done" : "cancelled");
  if (step && status(d) === "failed") [step.status, step.facts.error] = ["failed", d.message];
  t.end(turn, e, status(d), at);
};

export const folds = table<Fold>({
  "session.started"(t, _, d) {
    if (!d.forkedFrom) return;
    // What was copied is older than the fork: its times begin with the next event.
    t.forkedFrom = d.forkedFrom;
    [t.begins, t.last, t.before] = [-1, -1, -1];
  },
  "message.received"(t, e, d, at, known) {
    if (known) return void (known.facts.text += `\n\n${d.text}`); // messages that came together open one turn
    const turn = t.begin(e, "turn", d.text, undefined, { facts: { from: d.from, text: d.text } });
    turn.waits.push({ from: at, to: Infinity });
    t.turns.set(e.turnId!, turn);
  },
  "turn.started"(_, _e, d, at, turn) {
    if (!turn) return;
    turn.began = at;
    turn.waits.forEach((w) => (w.to = Math.min(w.to, at)));
    turn.facts.model = d.model;
  },
  "turn.resumed"(t, e, d, at, turn) {
    t.dead.push({ from: t.before, to: at });
    for (const s of [...t.open]) {
      if (s.kind === "step" || s.kind === "text" || s.kind === "reasoning") t.end(s, e, "lost", t.before);
      else if (s.kind !== "wait" && !s.waits.some((w) => w.to > at)) s.waits.push({ from: t.before, to: at, lost: true });
    }
    t.begin(e, "mark", `Taken up again after a restart of the host (${d.attempt})`, turn, { to: at, status: "done" });
  },
  "step.started"(t, e, d, _, turn) {
    const home = t.home(e, turn), before = t.newest(home, "step");
    if (before && before.to === undefined) {
      t.close(before, e, "lost", t.before);
      t.end(before, e, "lost", t.before);
    }
    const named = d.attempt > 1 ? `Step ${d.step}, attempt ${d.attempt}` : `Step ${d.step}`;
    t.begin(e, "step", named, home, { facts: { step: d.step, attempt: d.attempt, model: d.model ?? turn?.facts.model, repair: d.repair } });
  },
  "step.completed"(t, e, d, at, turn) {
    const step = openStep(t, e, turn);
    if (!step) return;
    step.usage = d.usage;
    step.facts.finish = d.finishReason;
    t.close(step, e, "done");
    t.end(step, e, "done", at);
  },
  "reasoning.appended": pieces("reasoning"),
  "reasoning.completed": whole("reasoning"),
  "message.appended": pieces("text"),
  "message.completed": whole("text"),
  "actions.requested"(t, e, d, _, turn) {
    for (const c of d.calls ?? []) {
      const facts = { args: c.args, effect: c.effect, callId: c.callId };
      t.calls.set(c.callId, t.begin(e, "tool", c.toolName, t.home(e, turn), { key: `call-${c.callId}`, facts }));
    }
  },
  "input.requested"(t, e, d, at) {
    const call = t.calls.get(d.callId);
    if (!call) return;
    call.status = "waiting";
    call.waits.push({ from: at, to: Infinity });
    t.begin(e, "wait", "Approval", call, { status: "waiting", facts: { args: d.args, callId: d.callId } });
  },
  "input.resolved"(t, e, d, at) {
    const call = t.calls.get(d.callId), wait = call?.children.findLast((s) => s.kind === "wait" && s.to === undefined);
    if (!call) return;
    call.status = "open";
    call.waits.forEach((w) => (w.to = Math.min(w.to, at)));
    if (!wait) return;
    Object.assign(wait.facts, { decision: d.decision, by: d.by?.id, reason: d.reason });
    t.end(wait, e, d.decision === "approve" ? "done" : "denied", at);
  },
  "action.result"(t, e, d, at) {
    const call = t.calls.get(d.callId);
    if (!call) return;
    Object.assign(call.facts, { output: d.output, code: d.code, stubbed: d.stubbed, error: d.isError && typeof d.output === "string" ? d.output : undefined });
    const status: Status = d.code === "denied" || d.code === "expired" ? "denied" : d.code === "cancelled" ? "cancelled" : d.isError ? "failed" : "done";
    call.waits.forEach((w) => (w.to = Math.min(w.to, at)));
    t.close(call, e, status === "done" ? "done" : "cancelled");
    t.end(call, e, status, at);
  },
  "subagent.called"(t, e, d) {
    const call = t.calls.get(d.callId);
    if (call) Object.assign(call, { kind: "sub", name: d.name, last: e.index, facts: { ...call.facts, task: d.task } });
  },
  "subagent.completed"(t, e, d) {
    const call = t.calls.get(d.callId);
    if (call) Object.assign(call, { usage: d.usage, last: e.index });
  },
  "authorization.requested"(t, e, d, at, turn) {
    const inside = t.calls.get(d.callId) ?? t.home(e, turn);
    inside?.waits.push({ from: at, to: Infinity });
    t.begin(e, "wait", `Authorization of ${d.connection}`, inside, { key: `wait-${d.connection}-${e.index}`, status: "waiting" });
  },
  "authorization.completed"(t, e, d, at) {
    const wait = [...t.open].findLast((s) => s.kind === "wait" && s.name === `Authorization of ${d.connection}`);
    if (!wait) return;
    wait.inside?.waits.forEach((w) => (w.to = Math.min(w.to, at)));
    wait.facts.decision = d.outcome;
    t.end(wait, e, d.outcome === "granted" ? "done" : "denied", at);
  },
  "context.compacted": mark((d) => `Context summed up: ${d.tokensBefore} → ${d.tokensAfter} tokens`, (d) => ({ usage: d.usage, facts: { model: d.model, text: d.summary } })),
  "skill.loaded": mark((d) => `Skill ${d.name}`),
  "artifact.tagged": mark((d) => `Tagged ${d.artifact?.kind}: ${d.artifact?.title || d.artifact?.key}`, (d) => ({ facts: { output: d.artifact } })),
  "reminder.set": mark((d) => `Reminder set: ${d.message}`, (d) => ({ facts: { output: d } })),
  "reminder.fired": mark(() => "Reminder fired"),
  "turn.completed": endsTurn(() => "done"),
  "turn.failed": endsTurn((d) => (d.status === "cancelled" ? "cancelled" : "failed")),
  "session.failed"(t, e, d) {
    t.close(undefined, e, "failed");
    t.begin(e, "mark", "The session failed", undefined, { to: t.last, status: "failed", facts: { error: d.message } });
  },
});
