// The search field: "/" goes to it, arrows and Enter choose, Escape leaves.
import { effect, h, signal } from "./dom.js";
import { type Entry, type Found, type Hit, search } from "./search.js";
import { split, stem } from "./words.js";

let index: Promise<Entry[]> | undefined;

/** Gives what is searched in. What could not be fetched is asked for again the next time. */
export function load(): Promise<Entry[]> {
  return (index ??= fetch("/docs/search.json")
    .then((r) => (r.ok ? (r.json() as Promise<Entry[]>) : Promise.reject(new Error(`status ${r.status}`))))
    .catch((e: unknown) => {
      index = undefined;
      throw e;
    }));
}

const none: Found = { hits: [], instead: "", stems: [] };

export function finder(): HTMLElement {
  const found = signal(none), asked = signal(""), failed = signal(false), chosen = signal(0);
  const hits = () => found().hits;
  const input = h("input", {
    type: "search", id: "find", placeholder: "Search", role: "combobox", autocomplete: "off", spellcheck: "false", "aria-label": "Search the documentation", "aria-controls": "hits", "aria-autocomplete": "list",
    "aria-expanded": () => String(hits().length > 0), "aria-activedescendant": () => (hits().length > 0 ? `hit-${chosen()}` : null),
    onfocus: () => void load().catch(() => {}),
    oninput: () => void ask(),
    onkeydown: (e: KeyboardEvent) => key(e),
  }) as HTMLInputElement;
  async function ask(): Promise<void> {
    const query = input.value.trim();
    let entries: Entry[] = [], lost = false;
    if (query !== "") await load().then((all) => (entries = all), () => (lost = true));
    if (query !== input.value.trim()) return;
    chosen.set(0);
    failed.set(lost);
    found.set(query === "" || lost ? none : search(entries, query));
    asked.set(query);
  }
  const close = () => (found.set(none), asked.set(""));
  addEventListener("hashchange", close); // a heading of this page was chosen
  function key(e: KeyboardEvent): void {
    const all = found.peek().hits, n = all.length;
    if (e.key === "Escape") return close(), input.blur();
    if (e.key === "Enter") return n > 0 ? go(all[chosen.peek()]) : void ask();
    const step = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || n === 0) return;
    e.preventDefault();
    chosen.set((chosen.peek() + step + n) % n);
  }
  const said = () => {
    if (asked() === "") return "";
    if (failed()) return "The search could not be loaded. Press Enter to try again.";
    const { hits, instead } = found();
    if (hits.length === 0) return `Nothing has “${asked()}”. Try one word of it, or the list of pages.`;
    return instead && `Nothing has “${asked()}”. This is for “${instead}”.`;
  };
  const list = h("ul", { id: "hits", role: "listbox", tabindex: "-1", "aria-label": "Results", onmousedown: (e: Event) => e.preventDefault() }, () => hits().map((x, i) => row(x, found().stems, () => chosen() === i, i)));
  effect(() => void list.querySelector(`#hit-${chosen()}`)?.scrollIntoView({ block: "nearest" }));
  document.addEventListener("keydown", (e) => {
    const typing = e.target instanceof HTMLElement && e.target.matches("input, textarea, select");
    if (e.key === "/" && !typing && !e.ctrlKey && !e.metaKey && !e.altKey) e.preventDefault(), input.focus(), input.select();
  });
  const box = h("div", { class: "finder" }, input, h("kbd", { "aria-hidden": "true" }, "/"),
    h("div", { class: "hits", hidden: () => asked() === "" }, h("p", { class: "none", role: "status", hidden: () => said() === "" }, said), list),
    h("p", { class: "sr", role: "status" }, () => (hits().length > 0 ? `${hits().length} found` : "")));
  const left = (to: EventTarget | null) => { if (!box.contains(to as Node)) close(); };
  document.addEventListener("click", (e) => left(e.target));
  box.addEventListener("focusout", (e) => e.relatedTarget && left(e.relatedTarget));
  return box;
}

const go = (x: Hit) => location.assign(link(x));
const link = (x: Hit) => `/docs/${x.page}${x.id ? `#${x.id}` : ""}`;

const row = (x: Hit, stems: string[], on: () => boolean, i: number) =>
  h("li", { role: "option", id: `hit-${i}`, "aria-selected": () => String(on()), onclick: () => go(x) },
    h("strong", null, x.title), x.heading && h("span", { class: "under" }, x.heading), h("span", { class: "excerpt" }, marked(x.excerpt, stems)));

// The words that were asked for stand out.
const marked = (text: string, stems: string[]) =>
  text.split(/([\p{L}\p{N}_]+)/u).map((part, i) => (i % 2 === 1 && stems.some((s) => stem(split(part)[0] ?? "") === s || part.toLowerCase().startsWith(s)) ? h("mark", null, part) : part));

/** Says on the page of an address that is none what may have been meant by it. */
export async function near(place: HTMLElement): Promise<void> {
  const words = decodeURIComponent(location.pathname).replace(/^\/docs\/|\.\w+$/g, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  const pages = new Map<string, Hit>();
  for (const hit of search(await load(), words).hits) if (!pages.has(hit.page)) pages.set(hit.page, { ...hit, id: "" });
  if (pages.size > 0) place.append(h("p", null, "Perhaps you look for:"), h("ul", null, ...[...pages.values()].slice(0, 3).map((x) => h("li", null, h("a", { href: link(x) }, x.title)))));
}
