// The event stream of a session as it is: a line an event.
import { path } from "../api.js";
import { type Child, cls, computed, effect, flip, h, type Signal, signal } from "../dom.js";
import { save } from "../file.js";
import { exact, visible } from "../format.js";
import { type List, list } from "../list.js";
import { type Log, openLog } from "../log.js";
import { layout } from "../rawjson.js";
import { place, to } from "../router.js";
import type { LogEvent } from "../session.js";
import type { View } from "../shell.js";
import { copy } from "./chat/value.js";
import { head, ofLog } from "./head.js";
import { pick } from "./pick.js";
import { family, fits, summary } from "./raw/summary.js";

export const raw: View = { name: "raw", title: "Raw", render: (id, query) => (id === "" ? pick("raw", "Raw") : show(id, query)) };

function show(id: string, query: URLSearchParams): Child {
  const log = openLog(id), type = signal(query.get("type") ?? ""), words = signal(query.get("q") ?? "");
  const open = signal<ReadonlySet<number>>(new Set()), chosen = signal(0), at = query.get("at");
  const live = signal(at === null);
  const shown = computed(() => {
    log.version();
    const [t, w] = [type(), words().trim()];
    return t === "" && w === "" ? log.events.slice() : log.events.filter((e) => fits(e, t, w));
  });
  const l: List<LogEvent> = list<LogEvent>({
    items: () => (open(), shown()),
    key: (e) => String(e.index),
    more: (e) => (open().has(e.index) ? inside(e) : 0),
    render: (e, nth) => line(e(), nth, open, chosen),
    stick: live,
    props: { class: "raw-list", role: "treegrid", tabindex: "0", "aria-label": "Events: arrows move, Enter opens", "aria-activedescendant": () => `event-${chosen()}`, onkeydown: (e: KeyboardEvent) => l.press(e, shown().findIndex((x) => x.index >= chosen()), (x) => chosen.set(x.index), (x) => flip(open, x.index)) },
  });
  effect(() => live() && l.end());
  const jump = (n: number) => {
    live.set(false);
    type.set("");
    words.set("");
    chosen.set(n);
    open.set(new Set([n]));
    requestAnimationFrame(() => l.reveal(String(n), "middle"));
  };
  arrive(log, jump, at);
  return h("div", { class: "raw" }, head(ofLog(id, log), download(id)), toolbar(log, shown, type, words, live, jump), () => (log.failed() ? h("p", { class: "empty", role: "alert" }, log.failed()!.message) : [l.box, () => (shown().length === 0 ? h("p", { class: "empty" }, log.events.length === 0 ? "There are no events yet." : "No event fits.") : [])]));
}

/** Goes to the event that the address names, when it has come, and whenever it names another. */
function arrive(log: Log, jump: (n: number) => void, at: string | null): void {
  let wanted = at, query = place.peek().query;
  effect(() => {
    const p = place();
    if (p.view === "raw" && p.query !== query) [wanted, query] = [p.query.get("at"), p.query];
    log.version();
    if (wanted === null || !/^\d+$/.test(wanted) || log.events.length <= Number(wanted)) return;
    const n = Number(wanted);
    wanted = null;
    queueMicrotask(() => jump(n));
  });
}

const whole = (n: number): string => n.toLocaleString("en");

// How much of an event is shown; all of it is copied, or downloaded.
const mostShown = 200_000;
const laid = new WeakMap<LogEvent, string>();

function pretty(e: LogEvent): string {
  const known = laid.get(e) ?? visible(layout(e.line).slice(0, mostShown)) + (e.line.length > mostShown ? "\n… Copy the line to have all of it." : "");
  laid.set(e, known);
  return known;
}

// A line is as high as --t-small times --line.
const most = 24, high = 18, around = 64;

/** How much higher an open event is: its lines, at most so many, and the room around them. */
const inside = (e: LogEvent): number => Math.min(most, pretty(e).split("\n").length) * high + around;

function line(e: LogEvent, nth: () => number, open: Signal<ReadonlySet<number>>, chosen: Signal<number>): HTMLElement {
  const click = () => (chosen.set(e.index), flip(open, e.index));
  return h(
    "div",
    { class: () => cls("event", open().has(e.index) && "open", chosen() === e.index && "chosen"), role: "row", "aria-rowindex": nth, "aria-level": 1, "aria-expanded": () => String(open().has(e.index)), id: `event-${e.index}`, "aria-selected": () => String(chosen() === e.index), style: () => (open().has(e.index) ? `height:calc(var(--row) + ${inside(e)}px)` : "height:var(--row)") },
    h("div", { class: "event-line", role: "presentation", onclick: click },
      h("span", { class: "event-index num mono", role: "gridcell" }, e.index),
      h("span", { class: "event-time num mono", role: "gridcell", title: e.at }, exact(e.at)),
      h("span", { class: `event-type mono fam-${family(e)}`, role: "gridcell" }, visible(e.type)),
      h("span", { class: "event-text", role: "gridcell" }, visible(summary(e))),
    ),
    () => (open().has(e.index) ? body(e) : []),
  );
}

function body(e: LogEvent): Child {
  return h(
    "div",
    { class: "event-body", role: "gridcell" },
    h("pre", { tabindex: "0", "aria-label": `Event ${e.index}`, style: `height:${inside(e) - around + 16}px` }, pretty(e)),
    h("div", { class: "row small" }, copy(() => e.line, "Copy line"), h("a", { class: "tab", href: to("trace", e.sessionId, { at: String(e.index) }) }, "The session as it was here")),
  );
}

const download = (id: string): HTMLElement => h("button", { type: "button", class: "plain small", onclick: () => void save(path`/v1/session/${id}/events`, `${id}.ndjson`, "application/x-ndjson") }, "Download");

function toolbar(log: Log, shown: () => LogEvent[], type: Signal<string>, words: Signal<string>, live: Signal<boolean>, jump: (n: number) => void): HTMLElement {
  const types = computed(() => {
    log.version();
    const seen = new Map<string, number>();
    for (const e of log.events) seen.set(e.type, (seen.get(e.type) ?? 0) + 1);
    return [...seen].sort(([a], [b]) => a.localeCompare(b)).map(([t, n]) => `${t}\n${n}`).join("\n\n");
  });
  const options = () => types().split("\n\n").filter(Boolean).map((x) => x.split("\n")).map(([t, n]) => h("option", { value: t, selected: t === type.peek() }, `${visible(t)} (${n})`));
  const index = h("input", { type: "number", min: "0", class: "raw-index", "aria-label": "Jump to event", placeholder: "index" }) as HTMLInputElement;
  const last = () => (log.version(), log.events.length);
  const said = computed(() => `${shown().length === last() ? "" : `${whole(shown().length)} of `}${whole(last())} events${log.link() === "live" ? " · live" : ""}`);
  return h(
    "div",
    { class: "trace-bar" },
    h("input", { type: "search", class: "raw-words", "aria-label": "Text in the event", placeholder: "Filter by text", value: words, oninput: (e: Event) => words.set((e.target as HTMLInputElement).value) }),
    h("select", { class: "trace-turn", "aria-label": "Type", onchange: (e: Event) => type.set((e.target as HTMLSelectElement).value) }, h("option", { value: "" }, "All types"), options),
    h("form", { class: "row", onsubmit: (e: Event) => { e.preventDefault(); if (index.value !== "" && last() > 0) jump(Math.min(last() - 1, Number(index.value))); } }, index, h("button", { type: "submit" }, "Jump")),
    h("label", { class: "row small" }, h("input", { type: "checkbox", checked: live, onchange: (e: Event) => live.set((e.target as HTMLInputElement).checked) }), "Follow"),
    h("span", { class: "small dim num", role: "status" }, said),
  );
}
