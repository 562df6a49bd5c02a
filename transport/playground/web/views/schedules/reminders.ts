// What sessions asked to be reminded of; a person may fire one before its time.
import { askHost, path } from "../../api.js";
import { computed, each, h, signal, untracked } from "../../dom.js";
import { isolated, visible } from "../../format.js";
import { to } from "../../router.js";
import { say } from "../../shell.js";
import { when } from "./when.js";

export interface Reminder {
  id: string;
  sessionId: string;
  at: string;
  message: string;
}

export function reminders(all: () => Reminder[], now: () => number, again: () => void): HTMLElement {
  const busy = signal(""), fired = signal<Reminder | undefined>(undefined);
  const fire = async (r: Reminder) => {
    if (busy.peek() !== "") return;
    busy.set(r.id);
    try {
      await askHost("POST", path`/v1/dev/reminders/${r.id}`);
      fired.set(r);
    } catch (e) {
      say(e);
    }
    busy.set("");
    again();
  };
  const none = computed(() => all().length === 0);
  const row = (r: Reminder) =>
    h("tr", null,
      h("th", { scope: "row", class: "plain-head words" }, isolated(r.message)),
      h("td", { "data-name": "Session" }, h("a", { class: "mono small", href: to("chat", r.sessionId), "aria-label": `Session ${visible(r.sessionId)}` }, `…${visible(r.sessionId.slice(-8))}`)),
      h("td", { class: "num", "data-name": "At" }, () => when(r.at, now(), true)),
      h("td", { class: "num-col" }, h("button", { type: "button", "aria-label": `Fire: ${isolated(r.message.slice(0, 80))}`, "aria-disabled": () => String(busy() !== ""), onclick: () => void fire(r) }, () => (busy() === r.id ? "Firing …" : "Fire now"))),
    );
  const heads = ["Message", "Session", "At"].map((c) => h("th", { scope: "col" }, c));
  const table = () => h("div", { class: "card scroll", tabindex: "0", role: "region", "aria-label": "Reminders" }, h("table", { class: "times" }, h("thead", null, h("tr", null, heads, h("td", null))), h("tbody", null, each(all, (r) => r.id, (r) => row(untracked(r))))));
  return h("section", { class: "stack" }, h("h2", null, "Reminders"),
    () => fired() && h("p", { class: "small", role: "status" }, "Fired: ", isolated(fired()!.message.slice(0, 80)), " ", h("a", { href: to("chat", fired()!.sessionId) }, "See it in its session")),
    () => (none() ? h("p", { class: "dim" }, "No session has one. A tool sets one with ctx.host.reminders.") : table()));
}
