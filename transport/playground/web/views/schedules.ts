// When the agent works by itself: its schedules, and the reminders of its sessions.
import { ApiError, askHost, get, path } from "../api.js";
import { type Child, cls, computed, each, h, signal, type Signal, untracked } from "../dom.js";
import { ago, visible } from "../format.js";
import { nothing, reading } from "../frame.js";
import { label, standing } from "../label.js";
import { poll } from "../poll.js";
import { to } from "../router.js";
import { say, type View } from "../shell.js";
import { opener } from "./schedules/fired.js";
import type { Opened } from "./schedules/opened.js";
import { type Reminder, reminders } from "./schedules/reminders.js";
import { when } from "./schedules/when.js";

export const schedules: View = { name: "schedules", title: "Schedules", render: () => show() };

interface Schedule {
  id: string;
  cron: string;
  timeZone: string;
  source?: string;
  next?: string;
  lastFired?: string;
}

/** What a firing by hand came to. */
interface Fired {
  busy: boolean;
  sessions?: string[];
  fault?: string;
}

/** What the host says of schedules. */
interface Told {
  all?: Schedule[];
  /** Undefined while it is not known. */
  opened?: Map<string, Opened[]>;
  /** Whether people may fire things here: undefined while it is not known. */
  dev?: boolean;
  now: number;
}

function show(): Child {
  const told = signal<Told>({ now: Date.now() }), armed = signal<Reminder[]>([]), openedBy = opener();
  const again = poll(async () => {
    const next = { ...told.peek(), now: Date.now() };
    try {
      next.all = (await get("/v1/info")).agent.schedules as Schedule[];
    } catch (e) {
      if (!next.all) say(e);
    }
    try {
      if (next.all?.length) next.opened = await openedBy(next.all);
    } catch (e) {
      if (!next.opened) say(e);
    }
    try {
      armed.set((await askHost("GET", "/v1/dev/reminders")).reminders);
      next.dev = true;
    } catch (e) {
      if (e instanceof ApiError) next.dev = false;
    }
    told.set(next);
  }, 5000);
  const dev = computed(() => told().dev), many = computed(() => told().all?.length);
  const about = () => {
    if (!many() || dev() === undefined) return "";
    return dev() ? "Under --dev nothing fires by itself: use the buttons." : "They fire by themselves, at their times.";
  };
  const timetable = () => {
    if (many() === undefined) return h("p", { class: "dim" }, "…");
    if (many() === 0) return h("div", { class: "card" }, nothing("This agent has no schedules.", "They are files in its folder schedules: a cron expression, and what to do.", ["schedules", "How to write one"]));
    return table(told, again);
  };
  return reading("schedules", { title: "Schedules", about: about },
    timetable,
    () => dev() === false && h("p", { class: "small dim" }, "To fire them by hand, and to see reminders, start the host on your machine with ", h("code", null, "bdk dev"), " or ", h("code", null, "bdk serve --dev"), "."),
    () => dev() === true && reminders(armed, () => told().now, again),
  );
}

const fired = new Map<string, Signal<Fired>>();

function table(told: () => Told, again: () => void): HTMLElement {
  const columns = ["Schedule", "When", "Next", "Last fired", "Last runs", ""];
  return h("div", { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Schedules" }, h("table", { class: "times" }, h("thead", null, h("tr", null, columns.map((c) => (c ? h("th", { scope: "col" }, c) : h("td", null))))), h("tbody", null, each(() => told().all ?? [], (s) => s.id, (s) => row(s, told, again)))));
}

function row(s: () => Schedule, told: () => Told, again: () => void): HTMLElement {
  const id = untracked(s).id;
  if (!fired.has(id)) fired.set(id, signal<Fired>({ busy: false }));
  const state = fired.get(id)!;
  const run = async () => {
    if (state.peek().busy) return;
    state.set({ busy: true });
    try {
      state.set({ busy: false, sessions: (await askHost("POST", path`/v1/dev/schedules/${id}`)).sessionIds });
    } catch (e) {
      state.set({ busy: false, fault: e instanceof ApiError ? e.message : "The host did not answer." });
    }
    again();
  };
  const dev = computed(() => told().dev === true);
  return h(
    "tr",
    null,
    h("th", { scope: "row", class: "plain-head" }, h("b", null, visible(id)), () => s().source && h("span", { class: "block small dim mono" }, visible(s().source!)), () => outcome(state())),
    h("td", { "data-name": "When" }, () => [h("code", null, visible(s().cron)), h("span", { class: "block small dim" }, visible(s().timeZone))]),
    h("td", { class: "num", "data-name": "Next" }, () => when(s().next, told().now, true)),
    h("td", { class: "num", "data-name": "Last fired" }, () => when(s().lastFired, told().now, false)),
    h("td", { "data-name": "Last runs" }, runsOf(id, told, () => s().lastFired !== undefined)),
    h("td", { class: "num-col" }, () => dev() && h("button", { type: "button", "aria-disabled": () => String(state().busy), "aria-label": `Run ${visible(id)} now`, onclick: () => void run() }, () => (state().busy ? "Running …" : "Run now"))),
  );
}

function runsOf(id: string, told: () => Told, fired: () => boolean): Child {
  const all = () => told().opened?.get(id) ?? [];
  const state = computed(() => {
    if (!told().opened) return "unknown";
    return all().length > 0 ? "some" : fired() ? "none" : "never";
  });
  const words: Record<string, string> = { unknown: "…", none: "none in its name that you may see", never: "–" };
  return () => (state() === "some" ? h("ul", null, each(all, (s) => s.id, (s) => opened(s, () => told().now))) : h("span", { class: "dim" }, words[state()]));
}

function opened(s: () => Opened, now: () => number): HTMLElement {
  return h("li", { class: "row small" },
    h("a", { href: to("chat", untracked(s).id), title: () => label(s()) }, () => ago(s().createdAt, now())),
    h("span", { class: () => cls("chip", standing(s()).tone), title: () => s().lastError }, () => standing(s()).word),
  );
}

function outcome(f: Fired): Child {
  if (f.fault) return h("p", { class: "small bad-text", role: "status" }, visible(f.fault));
  if (!f.sessions) return [];
  return h("p", { class: "row small", role: "status" }, f.sessions.length === 0 ? "It ran, and opened no session." : ["It ran: ", f.sessions.map((id) => h("a", { href: to("chat", id) }, `…${visible(id.slice(-8))}`))]);
}
