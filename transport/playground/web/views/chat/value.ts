// A value in the page: what is long is cut, and shown whole when somebody asks.
import { type Child, cls, computed, h, signal } from "../../dom.js";
import { count, visible } from "../../format.js";

const most = 2000, lines = 40;

/** Shows a text whose hidden characters are visible. */
export function value(label: string, text: () => string): HTMLElement {
  const whole = signal(false), all = computed(text);
  const shown = computed(() => (whole() ? all() : cut(all())));
  return h(
    "div",
    { class: "value" },
    h("div", { class: "value-head" }, h("span", null, label), copy(text)),
    h("pre", { tabindex: "0", "aria-label": label }, () => visible(shown())),
    () => !whole() && shown() !== all() && h("button", { type: "button", class: "plain small", onclick: () => whole.set(true) }, `Show all ${count(all().length)} characters`),
  );
}

/** The beginning of a long text. */
export function cut(text: string): string {
  let at = -1;
  for (let n = 0; n < lines; n++) {
    const next = text.indexOf("\n", at + 1);
    if (next < 0 || next > most) return text.length > most ? text.slice(0, most) + " …" : text;
    at = next;
  }
  return text.slice(0, at) + "\n…";
}

/** A button that copies a text. */
export function copy(text: () => string, label = "Copy", more = ""): HTMLElement {
  const said = signal(label);
  const done = (word: string) => { said.set(word); setTimeout(() => said.set(label), 1500); };
  return h("button", { type: "button", class: cls("plain small", more), onclick: () => void clip(text()).then(() => done("Copied"), () => done("The browser does not let this page copy")) }, () => said());
}

async function clip(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = h("textarea", { class: "sr", value: text, "aria-hidden": "true" }) as HTMLTextAreaElement; // a page without a secure context
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const taken = document.execCommand("copy");
  area.remove();
  if (!taken) throw new Error("not copied");
}

/** A line that unfolds what lies below it; whether it is open is kept here, or by who asks. */
export function folding(o: { open?: () => boolean; set?: (open: boolean) => void; class?: string; summary: Child; body: () => Child }): HTMLElement {
  const own = signal(false), open = o.open ?? own, set = o.set ?? own.set;
  return h(
    "div",
    { class: o.class },
    h("button", { type: "button", class: "fold", "aria-expanded": () => String(open()), onclick: () => set(!open()) }, h("span", { class: "arrow", "aria-hidden": "true" }, "›"), o.summary),
    () => open() && o.body(),
  );
}
