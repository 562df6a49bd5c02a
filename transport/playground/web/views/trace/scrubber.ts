// The scrubber: the session as it was at any index of its log.
import { cleanup, effect, h, type Signal, signal } from "../../dom.js";
import { clock, visible } from "../../format.js";
import { post, path } from "../../api.js";
import { go, to } from "../../router.js";
import { say } from "../../shell.js";
import { summary } from "../raw/summary.js";
import { icon } from "./icons.js";
import type { Model } from "./model.js";

/** Forks the session at an index, and opens the fork in the chat. */
export async function fork(id: string, index: number): Promise<void> {
  try {
    const reply = await post(path`/v1/session/${id}/fork`, { index });
    go(to("chat", reply.sessionId));
  } catch (e) {
    say(e);
  }
}

export function scrubber(m: Model): HTMLElement {
  const playing = signal(false), forking = signal(false);
  const last = () => (m.log.version(), Math.max(0, m.log.events.length - 1));
  const index = () => m.at() ?? last();
  const set = (n: number) => m.at.set(Math.min(last(), Math.max(0, n)));
  // A range gives more values than can be shown: one a frame is taken.
  let wanted: number | undefined;
  const slide = (n: number) => {
    if (wanted === undefined) requestAnimationFrame(() => { set(wanted!); wanted = undefined; });
    wanted = n;
  };
  const step = (by: number) => {
    playing.set(false);
    set(index() + by);
  };
  play(m, playing, last, index, set);
  const button = (label: string, sign: "first" | "back" | "on", click: () => void, more = {}) => h("button", { type: "button", class: "square", "aria-label": label, title: label, onclick: click, ...more }, icon(sign));
  const start = async () => {
    forking.set(true);
    await fork(m.id, index());
    forking.set(false);
  };
  const input = h("input", {
    type: "range", min: "0", max: last, step: "1", value: () => Math.min(last(), index()), "aria-label": "Event of the log", "aria-valuetext": () => told(m, index()),
    oninput: (e: Event) => { playing.set(false); slide(Number((e.target as HTMLInputElement).value)); },
    onkeydown: (e: KeyboardEvent) => { if (e.key === " ") { e.preventDefault(); playing.set(!playing()); } },
  });
  return h(
    "section",
    { class: "scrubber", "aria-label": "Scrubber" },
    h("div", { class: "row scrub-buttons", role: "group", "aria-label": "Move through the log" },
      button("First event", "first", () => step(-Infinity)),
      button("One event back", "back", () => step(-1)),
      h("button", { type: "button", class: "square", "aria-label": () => (playing() ? "Pause" : "Play"), title: () => (playing() ? "Pause" : "Play"), onclick: () => toggle(m, playing, last) }, () => icon(playing() ? "pause" : "play")),
      button("One event on", "on", () => step(1)),
      h("button", { type: "button", class: "scrub-now", disabled: () => m.at() === undefined, onclick: () => { playing.set(false); m.at.set(undefined); } }, "Now"),
    ),
    h("div", { class: "scrub-line" }, input),
    h("p", { class: "scrub-told small" }, h("b", { class: "num" }, () => `${index()} of ${last()}`), " ", h("span", { class: "dim" }, () => told(m, index()))),
    h("div", { class: "row scrub-acts" },
      h("button", { type: "button", "aria-pressed": () => String(m.pane() === "state"), onclick: () => m.pane.set(m.pane() === "state" ? "" : "state") }, "State"),
      h("button", { type: "button", class: "main", disabled: forking, title: "Opens a new session with the turns that had ended by this event", onclick: () => void start() }, "Fork from here"),
    ),
  );
}

function toggle(m: Model, playing: Signal<boolean>, last: () => number): void {
  if (!playing() && (m.at() ?? last()) >= last()) m.at.set(0);
  playing.set(!playing());
}

/** Plays as fast as it was, but for waits: none is longer than half a second. */
function play(m: Model, playing: () => boolean, last: () => number, index: () => number, set: (n: number) => void): void {
  effect(() => {
    if (!playing()) return;
    const n = index();
    if (n >= last()) return void m.at.set(undefined);
    const [a, b] = [m.log.events[n], m.log.events[n + 1]];
    const wait = a && b ? Date.parse(b.at) - Date.parse(a.at) : 0;
    const timer = setTimeout(() => set(n + 1), Math.min(500, Math.max(25, wait)));
    cleanup(() => clearTimeout(timer));
  });
}

function told(m: Model, index: number): string {
  m.log.version();
  const e = m.log.events[index];
  if (!e) return "";
  const line = summary(e);
  return `${clock(e.at)} ${e.type}${line ? " – " + visible(line.slice(0, 120)) : ""}`;
}
