// The line above a session, the same in each of its views: what it is called, how it is, and
// where else it can be seen.
import { patch, path } from "../api.js";
import { type Child, cleanup, cls, computed, effect, h, signal } from "../dom.js";
import { visible } from "../format.js";
import { label, standing } from "../label.js";
import { type Log, upTo } from "../log.js";
import { place, to } from "../router.js";
import { Session } from "../session.js";
import { heading, say } from "../shell.js";
import type { Link } from "../stream.js";
import { copy } from "./chat/value.js";

export interface Headed {
  id: string;
  /** The session as it is now, followed. */
  session: () => Session;
  link: () => Link;
}

/** What the line needs, of a log. */
export const ofLog = (id: string, log: Log): Headed => ({ id, session: upTo(log, () => log.events.length - 1, () => new Session(id)), link: log.link });

// Whoever goes to another view with the keyboard goes on from there.
let moved = false;

const views: Record<string, string> = { chat: "Chat", trace: "Trace", raw: "Raw" };

/** The line; more is what one view has besides. */
export function head(s: Headed, ...more: Child[]): HTMLElement {
  const known = () => s.session().next > 0, stands = computed(() => (known() ? standing(s.session()).word : "")), kinds = computed(() => kindsOf(s.session().started));
  return h(
    "header",
    { class: "session-head" },
    h(
      "div",
      { class: "session-name" },
      titled(s, () => stands() && h("span", { class: cls("chip", standing(s.session()).tone), title: s.session().lastError }, stands())),
      () => kinds() && h("span", { class: "chip session-kinds", title: kinds() }, kinds()),
      () => s.link() === "waiting" && h("span", { class: "chip warn", role: "status" }, "connecting again …"),
    ),
    h("div", { class: "session-acts" }, more, copy(() => s.id, "Copy id", "copy-id"), segments(s.id)),
  );
}

function segments(id: string): HTMLElement {
  const one = (view: string) => h("a", { href: to(view, id), "aria-current": () => place().view === view && "page", onclick: (e: MouseEvent) => (moved = place().view !== view && !(e.ctrlKey || e.metaKey || e.shiftKey)) }, views[view]);
  const nav = h("nav", { class: "segments", "aria-label": "This session" }, Object.keys(views).map(one));
  if (moved) queueMicrotask(() => nav.querySelector<HTMLElement>("[aria-current]")?.focus());
  moved = false;
  return nav;
}

// What a session was started with.
function kindsOf(s: any): string {
  if (!s) return "";
  const all = [s.dryRun && "dry run", s.asOf && `as of ${s.asOf}`, s.purpose === "eval" && "eval", s.mode === "task" && "task", s.channelId && s.channelId !== "http" && s.channelId, s.forkedFrom && "fork"];
  return visible(all.filter(Boolean).join(" · "));
}

function titled(s: Headed, status: Child): HTMLElement {
  const editing = signal(false), title = computed(() => s.session().title), name = computed(() => label(s.session())), known = computed(() => s.session().next > 0);
  effect(() => heading.set(known() ? name() : ""));
  cleanup(() => heading.set(""));
  const input = h("input", { "aria-label": "Title", maxlength: "200", onkeydown: (e: KeyboardEvent) => e.key === "Escape" && close() }) as HTMLInputElement;
  const edit = () => {
    input.value = title();
    editing.set(true);
    input.focus();
    input.select();
  };
  const close = () => {
    editing.set(false);
    box.querySelector("button")?.focus();
  };
  const save = () => {
    const wanted = input.value.trim();
    close();
    if (wanted !== title()) patch(path`/v1/session/${s.id}`, { title: wanted }).catch(say);
  };
  const form = () => h("form", { class: "session-title", onsubmit: (e: Event) => (e.preventDefault(), save()) }, input, h("button", { type: "submit" }, "Save"), h("button", { type: "button", class: "plain", onclick: close }, "Cancel"));
  const calm = () => [h("h1", { title: name }, name), status, known() && h("button", { type: "button", class: "plain small", onclick: edit }, "Rename")];
  const box: HTMLElement = h("div", { class: "session-title" }, () => (editing() ? form() : calm()));
  return box;
}
