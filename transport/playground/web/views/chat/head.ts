// The line above a conversation: its title, how it is, and where else it can be seen.
import { type Child, cls, h, signal } from "../../dom.js";
import { isolated, visible } from "../../format.js";
import { to } from "../../router.js";
import { say } from "../../shell.js";
import type { Live } from "./live.js";
import { copy } from "./value.js";

export const tones: Record<string, string> = { running: "accent", parked: "warn", waiting: "", completed: "good", failed: "bad" };
/** How people call a session's status. */
export const statusWords: Record<string, string> = { running: "running", parked: "needs you", waiting: "idle", completed: "completed", failed: "failed" };

export function head(live: Live): HTMLElement {
  const title = live.now(() => live.session.title), first = live.now(() => live.session.turns[0]?.text.slice(0, 100) ?? ""), status = live.now(() => (live.session.next === 0 ? (live.row()?.status ?? "") : live.session.status));
  const link = live.now(() => live.link());
  return h(
    "header",
    { class: "chat-head" },
    titled(live, title, first),
    () => status() && h("span", { class: cls("chip", tones[status()]) }, statusWords[status()] ?? status()),
    kinds(live),
    () => link() === "waiting" && h("span", { class: "chip warn", role: "status" }, "connecting again …"),
    h("span", { class: "grow" }),
    h("nav", { class: "chat-links small", "aria-label": "This session" }, h("a", { href: to("trace", live.id) }, "Trace"), h("a", { href: to("raw", live.id) }, "Raw"), copy(() => live.id, "Copy id")),
  );
}

// What a session was started with.
function kinds(live: Live): Child {
  const words = live.now(() => {
    const s = live.session.started;
    if (!s) return "";
    const of = [s.dryRun && "dry run", s.asOf && `as of ${s.asOf}`, s.purpose === "eval" && "eval", s.mode === "task" && "task", s.channelId && s.channelId !== "http" && s.channelId, s.forkedFrom && "fork"];
    return of.filter(Boolean).join("\n");
  });
  return () => words().split("\n").filter(Boolean).map((k) => h("span", { class: "chip" }, visible(k)));
}

function titled(live: Live, title: () => string, first: () => string): HTMLElement {
  const editing = signal(false);
  const input = h("input", { "aria-label": "Title", maxlength: "200", onkeydown: (e: KeyboardEvent) => e.key === "Escape" && editing.set(false) }) as HTMLInputElement;
  const edit = () => {
    input.value = title();
    editing.set(true);
    input.focus();
    input.select();
  };
  const save = async () => {
    editing.set(false);
    if (input.value.trim() === "" || input.value === title()) return;
    await live.rename(input.value.trim()).catch(say);
  };
  return h(
    "div",
    { class: "chat-title" },
    () => editing()
      ? h("form", { class: "row", onsubmit: (e: Event) => (e.preventDefault(), void save()) }, input, h("button", { type: "submit" }, "Save"), h("button", { type: "button", class: "plain", onclick: () => editing.set(false) }, "Cancel"))
      : [h("h1", { class: title() ? "" : "dim" }, isolated(title() || first()) || "…"), h("button", { type: "button", class: "plain small", onclick: edit }, "Rename")],
  );
}
