// A long list of rows whose heights are known, of which only what can be seen is in the
// page. Rows are as high as the box's --row says, and an open one by what it says more.
import { type Child, cleanup, computed, each, effect, h, type Props, signal, untracked } from "./dom.js";

interface Options<T> {
  items: () => readonly T[];
  key: (item: T) => string;
  /** Gives one element, as high as is said here; nth is which row of the table it begins with. */
  render: (item: () => T, nth: () => number) => ChildNode;
  /** How many rows of the table an item is, where it is not one. */
  rows?: (item: T) => number;
  /** What a row is higher by, in pixels. */
  more?: (item: T) => number;
  /** Stays in place above the rows. */
  head?: Child;
  /** Stays at the end while the reader is there. */
  stick?: () => boolean;
  /** The row that the end begins with, where what follows does not fit. */
  from?: () => string | undefined;
  props: Props;
}

export interface List<T> {
  box: HTMLElement;
  /** Scrolls so that a row can be seen; it need not be in the page. */
  reveal(key: string, where?: "near" | "middle"): void;
  /** Scrolls to the last row, or to the one that rows begin from. */
  end(): void;
  /** How many rows fit. */
  fit(): number;
  /** Takes a key where rows are chosen and opened, and the i-th is chosen: arrows move, Enter
   *  and Space open. */
  press(e: KeyboardEvent, i: number, choose: (item: T) => void, open: (item: T) => void): void;
}

export function list<T>(o: Options<T>): List<T> {
  const moved = signal(0), size = signal({ row: 32, high: 800 });
  let atEnd = true, place = 0;
  const offsets = computed(() => {
    const out = [0], row = size().row;
    for (const x of o.items()) out.push(out[out.length - 1] + row + (o.more?.(x) ?? 0));
    return out;
  });
  // shown is the first and the last row that is in the page.
  const shown = computed(() => {
    moved();
    const all = offsets(), high = size().high, from = place - high / 4;
    const first = Math.max(0, before(all, from)), last = Math.min(all.length - 1, before(all, from + 1.5 * high) + 1);
    return `${first} ${Math.max(first, last)}`;
  });
  const cut = () => shown().split(" ").map(Number);
  // numbers are which row of the table each item begins with, counted from 1.
  const numbers = computed(() => {
    const out = [o.head ? 2 : 1];
    for (const x of o.items()) out.push(out[out.length - 1] + (o.rows?.(x) ?? 1));
    return out;
  });
  const places = computed(() => {
    const [first, last] = cut();
    return new Map(o.items().slice(first, last).map((x, i) => [o.key(x), numbers()[first + i]]));
  });
  const render = (item: () => T) => {
    const key = o.key(untracked(item));
    return o.render(item, () => places().get(key) ?? 0);
  };
  const counted = /^(table|treegrid)$/.test(String(o.props.role)) && { "aria-rowcount": () => numbers()[numbers().length - 1] - 1 };
  const rows = h("div", { role: "presentation", class: "list-rows", style: () => `transform:translateY(${offsets()[cut()[0]] ?? 0}px)` }, each(() => o.items().slice(cut()[0], cut()[1]), o.key, render));
  const whole = h("div", { role: "presentation", class: "list-whole", style: () => `height:${offsets()[offsets().length - 1]}px` }, rows);
  const scrolled = () => {
    place = made.scrollTop;
    atEnd = Math.abs(place - bottom()) <= 8 || place + made.clientHeight >= made.scrollHeight - 8;
    moved.set(moved.peek() + 1);
  };
  const made = h("div", { ...counted, ...o.props, class: `list ${o.props.class ?? ""}`, onscroll: scrolled }, o.head, whole);
  const sized = new ResizeObserver(() => size.set({ row: parseFloat(getComputedStyle(made).getPropertyValue("--row")) || 32, high: made.clientHeight || 800 }));
  sized.observe(made);
  cleanup(() => sized.disconnect());
  const bottom = () => untracked(() => {
    const whole = made.scrollHeight - made.clientHeight, first = o.from?.(), i = first === undefined ? -1 : o.items().findIndex((x) => o.key(x) === first);
    return i < 0 ? whole : Math.min(whole, offsets()[i]);
  });
  effect(() => {
    offsets();
    if (o.stick?.() && atEnd) end();
  });
  const fit = () => Math.max(1, Math.floor(size.peek().high / size.peek().row) - 2);
  return { box: made, reveal, end, fit, press };

  function end(): void {
    requestAnimationFrame(() => (made.scrollTop = bottom()));
  }

  function press(e: KeyboardEvent, i: number, choose: (item: T) => void, open: (item: T) => void): void {
    const all = o.items(), at = Math.max(0, i);
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + fit(), PageUp: at - fit(), Home: 0, End: all.length - 1 };
    if (all.length === 0 || e.ctrlKey || e.altKey || e.metaKey || (e.target as Element).closest("button, pre")) return;
    if (e.key === "Enter" || e.key === " ") open(all[at]);
    else if (e.key in steps) {
      const next = all[Math.min(all.length - 1, Math.max(0, steps[e.key]))];
      choose(next);
      reveal(o.key(next));
    } else return;
    e.preventDefault();
  }

  function reveal(key: string, where: "near" | "middle" = "near"): void {
    const i = untracked(o.items).findIndex((x) => o.key(x) === key);
    if (i < 0) return;
    const [from, to] = untracked(offsets).slice(i, i + 2), head = whole.offsetTop, high = made.clientHeight;
    if (where === "middle") made.scrollTop = from - (high - head) / 2;
    else if (from < made.scrollTop) made.scrollTop = from;
    else if (to + head > made.scrollTop + high) made.scrollTop = to + head - high;
    scrolled();
  }
}

/** The index of the last offset that is not above y. */
function before(offsets: readonly number[], y: number): number {
  let low = 0, high = offsets.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (offsets[mid] <= y) low = mid;
    else high = mid - 1;
  }
  return low;
}
