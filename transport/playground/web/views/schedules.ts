// When the agent works by itself: its schedules, and the reminders of its sessions.
import { ApiError, askHost, get, path } from "../api.js";
import { type Child, cls, computed, each, h, signal, type Signal, untracked } from "../dom.js";
import { ago, visible } from "../format.js";
import { nothing, reading } from "../frame.js";
import { label, standing } from "../label.js";
import { poll } from "../poll.js";
import { to } from "../router.js";
import { say, type View } from "../shell.js";
import { bySchedule, type Opened } from "./schedules/opened.js";
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
  /** The sessions of each; undefined while they are not known. */
  opened?: Map<string, Opened[]>;
  /** Whether people may fire things here: undefined while it is not known. */
  dev?: boolean;
  now: number;
}

function show(): Child {
  const told = signal<Told>({ now: Date.now() }), armed = signal<Reminder[]>([]);
  const again = poll(async () => {
    const next = { ...told.peek(), now: Date.now() };
    try {
      next.all = (await get("/v1/info")).agent.schedules as Schedule[];
    } catch (e) {
      if (!next.all) say(e);
    }
    try {
      if (next.all?.length) next.opened = bySchedule((await get("/v1/sessions?limit=200")).sessions);
    } catch {
      // What is known of them stays.
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
  const about = () => (!many() ? "" : dev() === true ? "Under --dev nothing fires by itself: use the buttons." : dev() === false ? "They fire by themselves, at their times." : "");
  return reading("schedules", { title: "Schedules", about: about },
    () => (many() === undefined ? h("p", { class: "dim" }, "…") : many() === 0 ? none() : table(told, again)),
    () => dev() === false && h("p", { class: "small dim" }, "To fire them by hand, and to see reminders, start the host on your machine with ", h("code", null, "bdk dev"), " or ", h("code", null, "bdk serve --dev"), "."),
    () => dev() === true && reminders(armed, () => told().now, again),
  );
}

const none = (): HTMLElement => h("div", { class: "card" }, nothing("This agent has no schedules.", "They are files in its folder schedules: a cron expression, and what to do.", ["schedules", "How to write one"]));

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
    h("td", { "data-name": "Last runs" }, runsOf(() => told().opened?.get(id) ?? [], () => told().opened !== undefined, () => told().now, () => s().lastFired !== undefined)),
    h("td", { class: "num-col" }, () => dev() && h("button", { type: "button", disabled: () => state().busy, "aria-label": `Run ${visible(id)} now`, onclick: () => void run() }, () => (state().busy ? "Running …" : "Run now"))),
  );
}

function runsOf(all: () => Opened[], known: () => boolean, now: () => number, fired: () => boolean): Child {
  const words = computed(() => (all().length > 0 ? "" : !fired() ? "–" : known() ? "none among the newest sessions" : "…"));
  const one = (s: () => Opened) => h("li", { class: "row small" }, h("a", { href: to("chat", untracked(s).id), title: () => label(s()) }, () => ago(s().createdAt, now())), () => h("span", { class: cls("chip", standing(s()).tone), title: s().lastError }, standing(s()).word));
  return [() => words() && h("span", { class: "dim" }, words()), h("ul", { hidden: () => words() !== "" }, each(all, (s) => s.id, one))];
}

function outcome(f: Fired): Child {
  if (f.fault) return h("p", { class: "small bad-text", role: "status" }, visible(f.fault));
  if (!f.sessions) return [];
  return h("p", { class: "row small", role: "status" }, f.sessions.length === 0 ? "It ran, and opened no session." : ["It ran: ", f.sessions.map((id) => h("a", { href: to("chat", id) }, `…${visible(id.slice(-8))}`))]);
}
