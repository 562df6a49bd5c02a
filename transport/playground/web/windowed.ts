// A long list of which only what can be seen is in the page: under 200 rows at a time.
import { cleanup, effect, h, root, signal, untracked } from "./dom.js";

interface Options<T> {
  items: () => readonly T[];
  key: (item: T) => string | number;
  render: (item: T) => HTMLElement;
  /** A guess, in pixels; real heights are measured. */
  height: number;
  /** Stays at the end while the reader is there. */
  stick?: boolean;
  label: string;
}

export function windowed<T>(o: Options<T>): HTMLElement {
  const heights = new Map<string | number, number>();
  const rows = new Map<string | number, { node: HTMLElement; end: () => void }>();
  const top = h("div", { class: "pad", "aria-hidden": "true" }), body = h("div", { class: "rows" }), bottom = h("div", { class: "pad", "aria-hidden": "true" });
  const box = h("div", { class: "windowed", role: "log", "aria-label": o.label, tabindex: "0", onscroll: () => scrolled() }, top, body, bottom);
  const moved = signal(0);
  let atEnd = true;

  const scrolled = () => {
    atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 40;
    moved.set(moved.peek() + 1);
  };
  const heightOf = (x: T) => heights.get(o.key(x)) ?? o.height;
  const watch = new ResizeObserver((seen) => {
    let changed = false;
    for (const s of seen) {
      const key = [...rows].find(([, r]) => r.node === s.target)?.[0], high = (s.target as HTMLElement).offsetHeight;
      if (key === undefined || heights.get(key) === high) continue;
      heights.set(key, high);
      changed = true;
    }
    if (changed) moved.set(moved.peek() + 1);
  });
  const sized = new ResizeObserver(() => scrolled());
  sized.observe(box);
  cleanup(() => {
    watch.disconnect();
    sized.disconnect();
    rows.forEach((r) => r.end());
  });

  effect(() => {
    const items = o.items();
    moved();
    untracked(() => show(items));
  });
  return box;

  function show(items: readonly T[]): void {
    const margin = 600, seen = (box.clientHeight || 800) + 2 * margin, sticks = o.stick && atEnd;
    let total = 0;
    for (const x of items) total += heightOf(x);
    const from = sticks ? total - seen : box.scrollTop - margin;
    let first = 0, above = 0;
    while (first < items.length && above + heightOf(items[first]) < from) above += heightOf(items[first++]);
    let last = first, shown = above;
    while (last < items.length && shown < from + seen && last - first < 200) shown += heightOf(items[last++]);
    top.style.height = `${above}px`;
    bottom.style.height = `${Math.max(0, total - shown)}px`;
    place(items.slice(first, last));
    if (sticks) box.scrollTop = box.scrollHeight;
  }

  function place(shown: readonly T[]): void {
    const keys = new Set(shown.map(o.key));
    for (const [k, r] of rows) {
      if (keys.has(k)) continue;
      watch.unobserve(r.node);
      r.end();
      r.node.remove();
      rows.delete(k);
    }
    let before: ChildNode | null = null;
    for (let i = shown.length - 1; i >= 0; i--) {
      const k = o.key(shown[i]);
      let r = rows.get(k);
      if (!r) {
        r = root((end) => ({ node: o.render(shown[i]), end }));
        rows.set(k, r);
        watch.observe(r.node);
      }
      if (r.node.nextSibling !== before || r.node.parentNode !== body) body.insertBefore(r.node, before);
      before = r.node;
    }
  }
}
