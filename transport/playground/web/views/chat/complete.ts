// The list of commands over the composer, while one is being named.
import { type Child, cls, computed, effect, h, signal } from "../../dom.js";
import { visible } from "../../format.js";
import { type Command, complete, usage } from "./slash.js";

const helpCommand = { name: "help", description: "Shows the commands and their fields" };
type Shown = { name: string; description: string; usage: string };

export interface Completion {
  list: Child;
  /** The element that has the reader's eye, for aria-activedescendant. */
  active: () => string | null;
  open: () => boolean;
  /** Takes a key; true when it was the list's. */
  key: (e: KeyboardEvent) => boolean;
}

export function completion(text: () => string, commands: () => Command[], take: (text: string) => void): Completion {
  const at = signal(0), dismissed = signal("");
  const matching = computed<Shown[]>(() => {
    if (!/^\/\S*$/.test(text()) || dismissed() === text()) return [];
    const found = complete(text(), commands()).map((c) => ({ name: c.name, description: c.description, usage: usage(c) }));
    if (!"/help".startsWith(text())) return found;
    const help = { ...helpCommand, usage: "/help" };
    return text() === "/help" ? [help, ...found] : [...found, help]; // what is written out comes first
  });
  effect(() => {
    matching();
    at.set(0);
  });
  const open = () => matching().length > 0;
  const id = (i: number) => `command-${i}`;
  const choose = (c: Shown | undefined) => {
    if (!c) return;
    dismissed.set(`/${c.name}`);
    take(c.name === "help" ? "/help" : `/${c.name} `);
  };
  const move = (by: number) => {
    const n = matching().length;
    at.set((at.peek() + by + n) % n);
    document.getElementById(id(at.peek()))?.scrollIntoView({ block: "nearest" });
  };
  const keys: Record<string, () => void> = {
    ArrowDown: () => move(1), ArrowUp: () => move(-1), Tab: () => choose(matching()[at.peek()]), Escape: () => dismissed.set(text()),
    Enter: () => choose(matching()[at.peek()]),
  };
  const option = (c: Shown, i: number) => h(
    "li",
    { id: id(i), role: "option", class: () => cls("option", at() === i && "on"), "aria-selected": () => String(at() === i), onmousedown: (e: Event) => (e.preventDefault(), choose(c)) },
    h("span", { class: "mono" }, visible(c.usage)), h("span", { class: "dim small" }, visible(c.description)),
  );
  return {
    open,
    active: () => (open() ? id(at()) : null),
    list: h("ul", { id: "commands", role: "listbox", tabindex: "-1", "aria-label": "Commands", class: "completion", hidden: () => !open() }, () => matching().map(option)),
    key: (e) => {
      const whole = e.key === "Enter" && matching()[at.peek()] && text() === `/${matching()[at.peek()].name}`; // it is written out: Enter sends
      if (!open() || !keys[e.key] || e.shiftKey || whole) return false;
      keys[e.key]();
      return true;
    },
  };
}
