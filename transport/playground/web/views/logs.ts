// The host's recent log lines, asked for while somebody looks.
import { ApiError, askHost } from "../api.js";
import { type Child, cls, computed, effect, flip, h, type Signal, signal } from "../dom.js";
import { count, exact, plural, visible } from "../format.js";
import { filling, nothing } from "../frame.js";
import { type List, list } from "../list.js";
import { poll } from "../poll.js";
import type { View } from "../shell.js";
import { copy } from "./chat/value.js";
import { type Entry, fields, fits, Lines, tone, whole } from "./logs/lines.js";

export const logs: View = { name: "logs", title: "Logs", render: () => show() };

const every = 1500;
const levels: Record<string, string> = { "": "All levels", info: "Info and above", warn: "Warnings and errors", error: "Errors" };

function show(): Child {
  const kept = new Lines(), version = signal(0), fault = signal(""), level = signal(""), words = signal(""), live = signal(true);
  const open = signal<ReadonlySet<string>>(new Set()), chosen = signal("");
  poll(async () => {
    try {
      const reply = await askHost("GET", `/v1/logs?after=${kept.next}`);
      if (kept.add(reply.lines, reply.next)) version.set(version.peek() + 1);
      fault.set("");
    } catch (e) {
      fault.set(e instanceof ApiError ? (e.status === 401 ? "The host's log is for those whom the host itself admits: on its machine, or with its token." : e.message) : "The host does not answer; this page asks again.");
    }
  }, every);
  const shown = computed(() => (version(), kept.entries.filter((e) => fits(e, level(), words()))));
  const l: List<Entry> = list<Entry>({
    items: () => (open(), shown()),
    key: (e) => e.key,
    more: (e) => (open().has(e.key) ? inside(e) : 0),
    render: (e, nth) => line(e(), nth, open, chosen),
    stick: live,
    props: { class: "logs-list", role: "treegrid", tabindex: "0", "aria-label": "Lines of the log: arrows move, Enter opens", "aria-activedescendant": () => chosen() && `log-${chosen()}`, onkeydown: (e: KeyboardEvent) => l.press(e, shown().findIndex((x) => x.key === chosen()), (x) => chosen.set(x.key), (x) => flip(open, x.key)) },
  });
  effect(() => live() && l.end());
  const none = computed(() => version() === 0);
  return filling("logs", { title: "Logs", tools: tools(kept, version, shown, level, words, live, fault) }, l.box, empty(shown, none, fault));
}

function empty(shown: () => Entry[], none: () => boolean, fault: () => string): Child {
  const state = computed(() => (shown().length > 0 ? "some" : fault() !== "" ? "fault" : none() ? "none" : "unfit"));
  return () => {
    if (state() === "fault") return nothing("The log cannot be shown.", fault(), ["security", "Who may see what"]);
    if (state() === "none") return nothing("The log has no lines yet.", "The newest lines of the host are shown here as they come.", ["telemetry", "About logs"]);
    return state() === "unfit" && nothing("No line fits.", "Another level, or fewer words, may have it.");
  };
}

function tools(kept: Lines, version: () => number, shown: () => Entry[], level: Signal<string>, words: Signal<string>, live: Signal<boolean>, fault: () => string): Child {
  const all = () => (version(), kept.entries.length);
  const said = computed(() => `${shown().length === all() ? plural(all(), "line") : `${count(shown().length)} of ${plural(all(), "line")}`}${kept.missed > 0 ? `, ${count(kept.missed)} before them are not kept` : ""}`);
  const failing = computed(() => fault() !== "" && all() > 0);
  return [
    h("input", { type: "search", "aria-label": "Text in the line", placeholder: "Filter by text", spellcheck: "false", value: words, oninput: (e: Event) => words.set((e.target as HTMLInputElement).value) }),
    h("select", { "aria-label": "Level", onchange: (e: Event) => level.set((e.target as HTMLSelectElement).value) }, Object.entries(levels).map(([value, name]) => h("option", { value }, name))),
    h("label", { class: "row small" }, h("input", { type: "checkbox", checked: live, onchange: (e: Event) => live.set((e.target as HTMLInputElement).checked) }), "Follow"),
    h("span", { class: "small dim num last", role: "status" }, said),
    () => failing() && h("span", { class: "chip warn", role: "status" }, fault),
  ];
}

// A line is as high as --t-small times --line.
const most = 20, high = 18, around = 64;
const inside = (e: Entry): number => Math.min(most, whole(e).split("\n").length) * high + around;

function line(e: Entry, nth: () => number, open: Signal<ReadonlySet<string>>, chosen: Signal<string>): HTMLElement {
  if (!e.line) return h("div", { class: "log log-divider small dim", role: "row", "aria-rowindex": nth, style: "height:var(--row)" }, h("span", { role: "gridcell", "aria-colspan": 3 }, "The host was started again"));
  const l = e.line, is = () => open().has(e.key);
  const click = () => (chosen.set(e.key), flip(open, e.key));
  return h(
    "div",
    { class: () => cls("log", is() && "open", chosen() === e.key && "chosen"), role: "row", "aria-rowindex": nth, "aria-level": 1, id: `log-${e.key}`, "aria-expanded": () => String(is()), "aria-selected": () => String(chosen() === e.key), style: () => (is() ? `height:calc(var(--row) + ${inside(e)}px)` : "height:var(--row)") },
    h("div", { class: "log-line", role: "presentation", onclick: click },
      h("span", { class: "num mono dim", role: "gridcell", title: visible(l.at) }, exact(l.at)),
      h("span", { class: cls("log-level small", tone(l.level)), role: "gridcell" }, visible(l.level)),
      h("span", { class: "log-text", role: "gridcell" }, visible(l.message.slice(0, 500)), h("span", { class: "mono dim" }, fields(l).map(([name, value]) => `  ${name}=${value}`))),
    ),
    () => (is() ? h("div", { class: "event-body", role: "gridcell" }, h("pre", { tabindex: "0", "aria-label": "Line", style: `height:${inside(e) - around + 16}px` }, whole(e)), h("div", { class: "row small" }, copy(() => JSON.stringify(l), "Copy line"))) : []),
  );
}
