// The newest sessions, at the side of a conversation.
import { ApiError, get } from "../../api.js";
import { type Child, cleanup, cls, computed, each, effect, h, type Signal, signal } from "../../dom.js";
import { ago } from "../../format.js";
import { label, standing } from "../../label.js";
import { poll } from "../../poll.js";
import { to } from "../../router.js";
import { say } from "../../shell.js";
import type { Live } from "./live.js";

const sessions = signal<any[] | undefined>(undefined);
const every = 5000;

async function refresh(): Promise<void> {
  try {
    sessions.set((await get("/v1/sessions?limit=40")).sessions);
  } catch (e) {
    if (e instanceof ApiError && e.status !== 401 && e.code !== "view_behind" && sessions.peek() === undefined) say(e);
  }
}

// now is what the open session's own log says of it, which is there before the list has it.
function now(live: Live | undefined): any {
  if (!live || live.error() || (live.version(), live.session.next === 0)) return;
  const { id, title, lastMessage, lastError, status, changed } = live.session;
  return { id, title, lastMessage, lastError, status, updatedAt: changed };
}

/** The list; the session that is looked at is in it as it is now. */
export function side(current: string, live?: Live, open = signal(false)): Child {
  const again = poll(refresh, every);
  const shown = computed(() => {
    const own = now(live), list = sessions() ?? [];
    if (!own) return list;
    const at = list.findIndex((s) => s.id === own.id);
    if (at < 0) return sessions() ? [own, ...list] : list;
    return own.updatedAt < list[at].updatedAt ? list : list.with(at, { ...list[at], ...own }); // its log is still being read
  });
  const moved = computed(() => live && (live.version(), `${live.session.status} ${live.session.turns.length}`));
  let first = true;
  effect(() => {
    moved();
    if (!first) {
      const soon = setTimeout(again, 200);
      cleanup(() => clearTimeout(soon));
    }
    first = false;
  });
  return h(
    "aside",
    { class: () => cls("side", open() && "open"), "aria-label": "Sessions" },
    h(
      "div",
      { class: "side-head" },
      toggle(open),
      h("h2", null, "Sessions"),
      newChat(current),
    ),
    h(
      "div",
      { id: "sessions", class: "side-list" },
      () => sessions() && shown().length === 0 && h("p", { class: "empty small" }, "No sessions yet."),
      h("ul", null, each(shown, (s) => s.id, (s) => entry(s, current, () => open.set(false)))),
      h("a", { class: "tab small", href: to("runs") }, "Search all sessions"),
    ),
  );
}

const newChat = (current: string, word = "New chat"): HTMLElement => h("a", { class: "button", href: to("chat"), "aria-label": "New chat", "aria-current": current === "" ? "page" : null }, word);

const toggle = (open: Signal<boolean>): HTMLElement =>
  h("button", { type: "button", class: "side-toggle", "aria-expanded": () => String(open()), "aria-controls": "sessions", onclick: () => open.set(!open.peek()) }, "Sessions");

/** What stands for the list's own head on a narrow page, in the session's line. */
export const narrow = (open: Signal<boolean>): HTMLElement => h("div", { class: "side-narrow" }, toggle(open), newChat("-", "New"));

function entry(s: () => any, current: string, chosen: () => void): HTMLElement {
  const words = () => label(s());
  return h(
    "li",
    null,
    h(
      "a",
      { class: cls("session", s().id === current && "on"), href: to("chat", s().id), "aria-current": s().id === current ? "page" : null, onclick: chosen, title: words },
      h("span", { class: "session-title-line" }, words),
      h("span", { class: "session-facts small dim" }, () => (s().status !== "waiting" || s().lastError) && h("span", { class: cls("dot", standing(s()).tone), title: s().lastError }, standing(s()).word), h("span", null, () => ago(s().updatedAt))),
    ),
  );
}
