// When the agent works by itself: its schedules, and the reminders of its sessions.
import { ApiError, askHost, get, path } from "../api.js";
import { type Child, h, signal, type Signal } from "../dom.js";
import { ago, duration, isolated, visible } from "../format.js";
import { poll } from "../poll.js";
import { to } from "../router.js";
import { say, type View } from "../shell.js";
import { until } from "./schedules/until.js";

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

function show(): Child {
  const all = signal<Schedule[] | undefined>(undefined), reminders = signal<any[]>([]);
  // Whether the host lets people fire things: undefined while it is not known.
  const dev = signal<boolean | undefined>(undefined), now = signal(Date.now());
  const again = poll(async () => {
    try {
      all.set((await get("/v1/info")).agent.schedules);
    } catch (e) {
      if (!all.peek()) say(e);
    }
    try {
      reminders.set((await askHost("GET", "/v1/dev/reminders")).reminders);
      dev.set(true);
    } catch (e) {
      if (e instanceof ApiError) dev.set(false);
    }
    now.set(Date.now());
  }, 5000);
  return h(
    "section",
    { class: "page stack" },
    h("h1", null, "Schedules"),
    () => dev() === false && h("p", { class: "card dim" }, "Here schedules fire by themselves, at their times. To fire them, and to see and fire reminders, start the host on your machine with ", h("code", null, "bdk dev"), " or ", h("code", null, "bdk serve --dev"), "."),
    () => dev() === true && h("p", { class: "dim" }, "Under --dev nothing fires by itself: use the buttons."),
    () => (all() === undefined ? h("p", { class: "dim" }, "…") : all()!.length === 0 ? h("p", { class: "empty card" }, "This agent has no schedules: they are files in its folder schedules.") : table(all, dev, now, again)),
    () => dev() === true && armed(reminders, now, again),
  );
}

const fired = new Map<string, Signal<Fired>>();

function table(all: () => Schedule[] | undefined, dev: () => boolean | undefined, now: () => number, again: () => void): HTMLElement {
  const columns = ["Schedule", "When", "Next", "Last fired", ""];
  return h("div", { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Schedules" }, h("table", { class: "times" }, h("thead", null, h("tr", null, columns.map((c) => (c ? h("th", { scope: "col" }, c) : h("td", null))))), h("tbody", null, all()!.map((s) => row(s, dev, now, again)))));
}

function row(s: Schedule, dev: () => boolean | undefined, now: () => number, again: () => void): HTMLElement {
  if (!fired.has(s.id)) fired.set(s.id, signal<Fired>({ busy: false }));
  const state = fired.get(s.id)!;
  const run = async () => {
    state.set({ busy: true });
    try {
      state.set({ busy: false, sessions: (await askHost("POST", path`/v1/dev/schedules/${s.id}`)).sessionIds });
    } catch (e) {
      state.set({ busy: false, fault: e instanceof ApiError ? e.message : "The host did not answer." });
    }
    again();
  };
  return h(
    "tr",
    null,
    h("th", { scope: "row", class: "plain-head" }, h("b", null, visible(s.id)), s.source && h("span", { class: "block small dim mono" }, visible(s.source)), () => outcome(state())),
    h("td", { "data-name": "When" }, h("code", null, visible(s.cron)), h("span", { class: "block small dim" }, visible(s.timeZone))),
    h("td", { class: "num", "data-name": "Next" }, () => when(s.next, now(), true)),
    h("td", { class: "num", "data-name": "Last fired" }, () => when(s.lastFired, now(), false)),
    h("td", { class: "num-col" }, () => dev() === true && h("button", { type: "button", disabled: () => state().busy, "aria-label": `Run ${visible(s.id)} now`, onclick: () => void run() }, () => (state().busy ? "Running …" : "Run now"))),
  );
}

function outcome(f: Fired): Child {
  if (f.fault) return h("p", { class: "small bad-text", role: "status" }, visible(f.fault));
  if (!f.sessions) return [];
  return h("p", { class: "row small", role: "status" }, f.sessions.length === 0 ? "It ran, and opened no session." : ["It ran: ", f.sessions.map((id) => h("a", { href: to("chat", id) }, id))]);
}

function when(at: string | undefined, now: number, ahead: boolean): Child {
  if (!at) return h("span", { class: "dim" }, ahead ? "not by itself" : "never");
  return [ahead ? until(at, now, duration) : ago(at, now), h("span", { class: "block small dim" }, new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }))];
}

function armed(reminders: () => any[], now: () => number, again: () => void): Child {
  const busy = signal("");
  const fire = async (r: any) => {
    busy.set(r.id);
    try {
      await askHost("POST", path`/v1/dev/reminders/${r.id}`);
    } catch (e) {
      say(e);
    }
    busy.set("");
    again();
  };
  const row = (r: any) =>
    h("tr", null,
      h("th", { scope: "row", class: "plain-head words" }, isolated(r.message)),
      h("td", { "data-name": "Session" }, h("a", { class: "mono", href: to("chat", r.sessionId) }, `${visible(r.sessionId.slice(0, 16))}…`)),
      h("td", { class: "num", "data-name": "At" }, when(r.at, now(), true)),
      h("td", { class: "num-col" }, h("button", { type: "button", "aria-label": `Fire: ${isolated(r.message.slice(0, 80))}`, disabled: busy() !== "", onclick: () => void fire(r) }, "Fire")),
    );
  return h("section", { class: "stack" }, h("h2", null, "Reminders"), reminders().length === 0
    ? h("p", { class: "dim" }, "No session has one.")
    : h("div", { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Reminders" }, h("table", { class: "times" }, h("thead", null, h("tr", null, ["Message", "Session", "At"].map((c) => h("th", { scope: "col" }, c)), h("td", null))), h("tbody", null, () => reminders().map(row)))));
}
