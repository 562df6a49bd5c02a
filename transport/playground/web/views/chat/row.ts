// One row of the transcript.
import { type Child, cls, h } from "../../dom.js";
import { clock, count, duration, isolated, money, plural, pretty, tokens as tokensOf, visible } from "../../format.js";
import { markdown } from "../../markdown.js";
import { to } from "../../router.js";
import type { Note, Step, Text, Turn } from "../../session.js";
import { call } from "./call.js";
import type { Live } from "./live.js";
import { type Row, work } from "./rows.js";
import { cut, folding, value } from "./value.js";
import { table } from "../../table.js";
import { draft } from "./writer.js";

/** Makes the element of a row, which follows the session. */
export function row(live: Live, r: Row): HTMLElement {
  const depth = r.kind === "item" ? Math.min(r.depth, 4) : 0;
  return h("div", { class: cls("line", `depth-${depth}`) }, h("div", { class: "line-in" }, inside(live, r)));
}

function inside(live: Live, r: Row): HTMLElement {
  if (r.kind === "message") return message(live, r.turn);
  if (r.kind === "end") return end(live, r.turn);
  switch (r.item.kind) {
    case "text":
      return text(live, r.item);
    case "reasoning":
      return reasoning(live, r.item);
    case "call":
      return call(live, r.item);
    case "step":
      return again(r.item);
    case "note":
      return note(r.item);
  }
}

const from = table<string>({ user: "You", channel: "Channel", schedule: "Schedule", reminder: "Reminder", peer: "Another agent" });

function message(live: Live, turn: Turn): HTMLElement {
  const queued = live.now(() => turn.status === "queued"), key = `message ${turn.index}`;
  const brief = live.now(() => cut(turn.text)), whole = live.now(() => brief() === turn.text || live.unfolded(key)), said = live.now(() => (whole() ? turn.text : brief()));
  return h(
    "div",
    { class: cls("message", turn.from !== "user" && "other") },
    h("div", { class: "who" }, h("b", null, from[turn.from] ?? visible(turn.from)), h("time", { class: "dim small", datetime: new Date(turn.at).toISOString() }, clock(turn.at)), () => queued() && h("span", { class: "chip warn" }, "waits its turn")),
    h("div", { class: "words" }, () => isolated(said())),
    () => !whole() && h("button", { type: "button", class: "plain small", onclick: () => live.fold(key, true) }, `Show all ${count(turn.text.length)} characters`),
  );
}

function text(live: Live, t: Text): HTMLElement {
  const words = live.now(() => t.text), done = live.now(() => t.done);
  return h("div", { class: () => cls("reply", !done() && "growing") }, markdown(words, done));
}

function reasoning(live: Live, t: Text): HTMLElement {
  const key = `reasoning ${t.index}`, words = live.now(() => t.text), done = live.now(() => t.done);
  return folding({
    class: "reasoning",
    open: () => live.unfolded(key, !done()),
    set: (open) => live.fold(key, open),
    summary: () => (done() ? "Reasoning" : "Reasoning …"),
    body: () => h("div", { class: "words dim" }, () => isolated(words())),
  });
}

const again = (s: Step): HTMLElement =>
  h("div", { class: "note" }, s.repair ? `Asked again, so that the answer fits: ${isolated(s.repair)}` : `Step ${s.step} was tried again (attempt ${s.attempt}).`);

function note(n: Note): HTMLElement {
  return h("div", { class: cls("note", n.tone === "bad" && "bad") }, h("span", null, isolated(n.text)), n.artifactId && h("a", { href: to("artifacts", n.artifactId) }, "Show the artifact"), authorize(n.link));
}

function authorize(link: string | undefined): Child {
  if (!link || !/^https?:\/\//i.test(link) || !URL.canParse(link)) return null;
  return h("a", { href: link, rel: "noopener noreferrer", target: "_blank" }, `Authorize at ${new URL(link).host}`);
}

// end is the line below a turn: how it went, and what it took.
function end(live: Live, turn: Turn): HTMLElement {
  const status = live.now(() => turn.status), figures = live.now(() => facts(turn)), failed = live.now(() => (turn.code ? `${turn.code}: ` : "") + (turn.error ?? "")), last = live.now(() => live.session.last === turn && turn.from === "user");
  const state = table<() => Child>({
    running: () => h("span", { class: "working" }, "Working"),
    waiting: () => !turn.items.some((x) => x.kind === "call" && x.status === "waiting") && h("span", { class: "chip warn" }, "waits for you"), // its call says so, where it is shown
    failed: () => h("span", { class: "chip bad" }, "failed"),
    cancelled: () => h("span", { class: "chip" }, "stopped"),
  });
  return h(
    "div",
    { class: "turn-end" },
    () => status() === "failed" && h("div", { class: "failure" }, failure(failed()), () => last() && anew(live, turn)),
    () => status() === "completed" && result(turn),
    h("div", { class: "figures" }, () => state[status()]?.(), h("span", null, () => figures())),
  );
}

const failure = (why: string): HTMLElement => (cut(why) === why ? h("p", null, isolated(why)) : value("Why it failed", () => why));

// anew writes the message of a turn that failed into the composer, in the place of nothing else.
function anew(live: Live, turn: Turn): Child {
  const written = draft(live.id), again = () => (written.set(turn.text), document.getElementById("message")?.focus());
  return () => live.row()?.mode !== "task" && h("button", { type: "button", disabled: () => written().trim() !== "", onclick: again }, "Write it again");
}

function facts(turn: Turn): string {
  const { steps, calls } = work(turn.items), n = tokensOf(turn.usage);
  const many = (n: number, word: string) => n > 0 && plural(n, word);
  const took = turn.endedAt && turn.startedAt ? duration(turn.endedAt - turn.startedAt) : "";
  return [turn.model && visible(turn.model), many(steps, "step"), many(calls, "call"), n > 0 && `${count(n)} tokens`, money(turn.cost?.totalUsd), took].filter(Boolean).join(" · ");
}

// result is shown where it says more than the reply did.
function result(turn: Turn): Child {
  const reply = turn.items.findLast((x): x is Text => x.kind === "text")?.text.trim();
  if (turn.result === undefined || turn.result === null || (typeof turn.result === "string" && turn.result.trim() === (reply ?? ""))) return null;
  return value("Result", () => pretty(turn.result));
}
