// The search field: "/" goes to it, arrows and Enter choose, Escape leaves.
import { effect, h, signal } from "./dom.js";
import { type Entry, type Hit, search } from "./search.js";

let index: Promise<Entry[]> | undefined;
const load = () => (index ??= fetch("/docs/search.json").then((r) => r.json() as Promise<Entry[]>));

export function finder(): HTMLElement {
  const hits = signal<Hit[]>([]), asked = signal(""), chosen = signal(0);
  const input = h("input", {
    type: "search", id: "find", placeholder: "Search", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-label": "Search the documentation", "aria-controls": "hits", "aria-autocomplete": "list",
    "aria-expanded": () => String(asked() !== ""), "aria-activedescendant": () => (hits().length > 0 ? `hit-${chosen()}` : null),
    onfocus: () => void load(),
    oninput: () => void ask(),
    onkeydown: (e: KeyboardEvent) => key(e),
  }) as HTMLInputElement;
  async function ask(): Promise<void> {
    const query = input.value.trim(), entries = await load();
    if (query !== input.value.trim()) return;
    chosen.set(0);
    hits.set(search(entries, query));
    asked.set(query);
  }
  const close = () => (hits.set([]), asked.set(""));
  addEventListener("hashchange", close); // a heading of this page was chosen
  function key(e: KeyboardEvent): void {
    const n = hits.peek().length;
    if (e.key === "Escape") return close(), input.blur();
    if (e.key === "Enter" && n > 0) return go(hits.peek()[chosen.peek()]);
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || n === 0) return;
    e.preventDefault();
    chosen.set((chosen.peek() + step + n) % n);
  }
  const list = h("ul", { id: "hits", class: "hits", role: "listbox", tabindex: "-1", "aria-label": "Results", onmousedown: (e: Event) => e.preventDefault(), hidden: () => asked() === "" }, () =>
    hits().length > 0 ? hits().map((x, i) => row(x, () => chosen() === i, i)) : h("li", { class: "none", role: "option", "aria-disabled": "true" }, `Nothing has ${asked()}.`));
  effect(() => void list.querySelector(`#hit-${chosen()}`)?.scrollIntoView({ block: "nearest" }));
  document.addEventListener("keydown", (e) => {
    const typing = e.target instanceof HTMLElement && e.target.matches("input, textarea, select");
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) e.preventDefault(), input.focus();
  });
  document.addEventListener("click", (e) => { if (!box.contains(e.target as Node)) close(); });
  const box = h("div", { class: "finder" }, input, h("kbd", { "aria-hidden": "true" }, "/"), list);
  return box;
}

const go = (x: Hit) => location.assign(`/docs/${x.page}${x.id ? `#${x.id}` : ""}`);

const row = (x: Hit, on: () => boolean, i: number) =>
  h("li", { role: "option", id: `hit-${i}`, "aria-selected": () => String(on()), onclick: () => go(x) },
    h("strong", null, x.title), x.heading && h("span", { class: "under" }, x.heading), h("span", { class: "excerpt" }, x.excerpt));
