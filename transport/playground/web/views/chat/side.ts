// The newest sessions, at the side of a conversation.
import { ApiError, get } from "../../api.js";
import { type Child, cleanup, cls, each, effect, h, signal } from "../../dom.js";
import { ago, isolated } from "../../format.js";
import { poll } from "../../poll.js";
import { to } from "../../router.js";
import { say } from "../../shell.js";
import { statusWords, tones } from "./head.js";

const sessions = signal<any[] | undefined>(undefined);
const every = 5000;

async function refresh(): Promise<void> {
  try {
    sessions.set((await get("/v1/sessions?limit=40")).sessions);
  } catch (e) {
    if (e instanceof ApiError && e.status !== 401 && e.code !== "view_behind" && sessions.peek() === undefined) say(e);
  }
}

/** The list; changed tells it that a session that is looked at changed. */
export function side(current: string, changed: () => unknown): Child {
  const open = signal(false);
  const again = poll(refresh, every);
  let first = true;
  effect(() => {
    changed();
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
      h("button", { type: "button", class: "side-toggle", "aria-expanded": () => String(open()), "aria-controls": "sessions", onclick: () => open.set(!open.peek()) }, "Sessions"),
      h("h2", null, "Sessions"),
      h("a", { class: "button", href: to("chat"), "aria-current": current === "" ? "page" : null }, "New chat"),
    ),
    h(
      "div",
      { id: "sessions", class: "side-list" },
      () => sessions()?.length === 0 && h("p", { class: "empty small" }, "No sessions yet."),
      h("ul", null, each(() => sessions() ?? [], (s) => s.id, (s) => entry(s, current, () => open.set(false)))),
      h("a", { class: "all small", href: to("runs") }, "Search all sessions"),
    ),
  );
}

function entry(s: () => any, current: string, chosen: () => void): HTMLElement {
  const words = () => isolated(s().title || s().lastMessage || s().id);
  return h(
    "li",
    null,
    h(
      "a",
      { class: cls("session", s().id === current && "on"), href: to("chat", s().id), "aria-current": s().id === current ? "page" : null, onclick: chosen, title: words },
      h("span", { class: "session-title" }, words),
      h("span", { class: "session-facts small dim" }, () => s().status !== "waiting" && h("span", { class: cls("dot", tones[s().status]) }, statusWords[s().status] ?? s().status), h("span", null, () => ago(s().updatedAt))),
    ),
  );
}
