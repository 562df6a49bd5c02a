// The axis above the waterfall, the lines behind it, and how one moves along: by dragging,
// by the wheel and by keys.
import { type Child, cleanup, cls, each, h, signal } from "../../dom.js";
import { duration } from "../../format.js";
import { between, move, type Piece, since, type Tick, zoom } from "./axis.js";
import { icon } from "./icons.js";
import type { Model } from "./model.js";

const whole = { a: 0, b: 1 };

/** Where a place of the axis is in what is looked at, in percent. */
const at = (m: Model, place: number): number => ((place - m.look().a) / (m.look().b - m.look().a)) * 100;

const width = signal(800);
const ticks = (m: Model): Tick[] => m.axis().ticks(m.look().a, m.look().b, Math.max(2, Math.round(width() / 110)));

/** The ticks with their labels: one near the end is written before its tick, in the place of
 *  the label there. */
function labels(m: Model): (Tick & { last: boolean })[] {
  const letters = 6500 / width(), all = ticks(m).map((t) => ({ ...t, last: at(m, t.at) > 100 - letters }));
  all.forEach((t, i) => {
    if (t.last && at(m, t.at) < letters) t.label = ""; // no room on its left either
    const before = all[i - 1];
    if (t.last && before && at(m, t.at - before.at + m.look().a) < (before.last ? 1 : 2) * letters) before.label = "";
  });
  return all;
}

const gaps = (m: Model): Piece[] => m.axis().pieces.filter((p) => p.gap && p.at + p.wide > m.look().a && p.at < m.look().b);
const place = (m: Model, p: Piece): string => `left:${at(m, p.at)}%;width:${at(m, p.at + p.wide) - at(m, p.at)}%`;
const wide = (m: Model, p: Piece): number => (p.wide / (m.look().b - m.look().a)) * width();

// drag is the stretch that is being marked, in places of what is looked at.
const drag = signal<{ from: number; to: number } | undefined>(undefined);

export function header(m: Model): HTMLElement {
  return h(
    "div",
    { class: "tr tr-head", role: "row", "aria-rowindex": 1 },
    h("div", { class: "tr-name", role: "columnheader" }, "Span"),
    h(
      "div",
      { class: "tr-track", role: "columnheader", "aria-label": "Time" },
      each(() => labels(m), (t) => String(t.time), (t) => h("span", { class: () => cls("tick-label num", t().last && "last"), style: () => `left:${at(m, t().at)}%` }, () => t().label)),
      each(() => gaps(m), (p) => String(p.from), (p) => h("span", { class: "gap-label num", title: () => `${duration(p().to - p().from)} without work`, hidden: () => wide(m, p()) < 26, style: () => place(m, p()) }, () => since(p().to - p().from, 1000))),
    ),
    h("div", { class: "tr-num tr-took", role: "columnheader" }, "Duration"),
    h("div", { class: "tr-num tr-tokens", role: "columnheader" }, "Tokens"),
    h("div", { class: "tr-num tr-cost", role: "columnheader" }, "Cost"),
  );
}

/** What lies behind the rows: lines of the ticks, breaks where idle time is compressed, the
 *  moment that is looked at, and what is being marked. */
export function overlay(m: Model): HTMLElement {
  const track = h(
    "div",
    { class: "tr-track" },
    each(() => ticks(m), (t) => String(t.time), (t) => h("span", { class: "tick-line", style: () => `left:${at(m, t().at)}%` })),
    each(() => gaps(m), (p) => String(p.from), (p) => h("span", { class: "gap", style: () => place(m, p()) })),
    () => (m.at() === undefined ? [] : h("span", { class: "playhead", style: () => `left:${at(m, m.axis().place(m.now()))}%` })),
    (): Child => {
      const d = drag();
      return d ? h("span", { class: "marked", style: `left:${Math.min(d.from, d.to) * 100}%;width:${Math.abs(d.to - d.from) * 100}%` }) : [];
    },
  );
  const watch = new ResizeObserver(() => width.set(track.clientWidth || 800));
  watch.observe(track);
  cleanup(() => watch.disconnect());
  return h("div", { class: "over", "aria-hidden": "true" }, h("div", { class: "tr" }, h("div", { class: "tr-name" }), track, h("div", { class: "tr-num tr-took" }), h("div", { class: "tr-num tr-tokens" }), h("div", { class: "tr-num tr-cost" })));
}

/** Lets a box be zoomed by dragging over its tracks, and by the wheel. */
export function panning(m: Model, box: HTMLElement): HTMLElement {
  const place = (e: MouseEvent): number | undefined => {
    const track = (e.target as Element).closest?.(".tr")?.querySelector(".tr-track")?.getBoundingClientRect();
    return track && e.clientX >= track.left && e.clientX <= track.right ? (e.clientX - track.left) / track.width : undefined;
  };
  const axisPlace = (x: number) => m.look().a + x * (m.look().b - m.look().a);
  // A drag is no click on the row that it began on.
  let dragged = false;
  box.addEventListener("click", (e) => dragged && e.stopPropagation(), true);
  box.addEventListener("pointerdown", (e) => {
    dragged = false;
    const from = e.button === 0 && e.pointerType === "mouse" ? place(e) : undefined;
    if (from === undefined) return;
    const track = (e.target as Element).closest(".tr")!.querySelector(".tr-track")!.getBoundingClientRect();
    const moved = (e: PointerEvent) => {
      const to = Math.min(1, Math.max(0, (e.clientX - track.left) / track.width));
      if (drag() || Math.abs(to - from) * track.width > 4) drag.set({ from, to });
    };
    const done = () => {
      removeEventListener("pointermove", moved);
      removeEventListener("pointerup", done);
      const d = drag();
      drag.set(undefined);
      if (!d) return;
      m.look.set(between(axisPlace(d.from), axisPlace(d.to)));
      dragged = true;
    };
    addEventListener("pointermove", moved);
    addEventListener("pointerup", done);
  });
  box.addEventListener("wheel", (e) => {
    const x = place(e);
    if (e.ctrlKey && x !== undefined) m.look.set(zoom(m.look(), e.deltaY > 0 ? 1.2 : 1 / 1.2, axisPlace(x)));
    else if (Math.abs(e.deltaX) > Math.abs(e.deltaY)) m.look.set(move(m.look(), e.deltaX / 800));
    else return;
    e.preventDefault();
  }, { passive: false });
  return box;
}

/** Zooms and moves by keys; false for others. */
panning.key = (m: Model, e: KeyboardEvent): boolean => {
  if (e.key === "+" || e.key === "=") m.look.set(zoom(m.look(), 0.5));
  else if (e.key === "-") m.look.set(zoom(m.look(), 2));
  else if (e.key === "0") m.look.set(whole);
  else if (e.shiftKey && e.key === "ArrowLeft") m.look.set(move(m.look(), -0.2));
  else if (e.shiftKey && e.key === "ArrowRight") m.look.set(move(m.look(), 0.2));
  else return false;
  return true;
};

/** The buttons for the same. */
export function zooms(m: Model): HTMLElement {
  const button = (label: string, sign: "less" | "more", click: () => void, more = {}) => h("button", { type: "button", class: "square", "aria-label": label, title: label, onclick: click, ...more }, icon(sign));
  const all = () => m.look().a === 0 && m.look().b === 1;
  return h(
    "div",
    { class: "row zooms", role: "group", "aria-label": "Zoom" },
    button("Zoom out", "less", () => m.look.set(zoom(m.look(), 2)), { disabled: all }),
    button("Zoom in", "more", () => m.look.set(zoom(m.look(), 0.5))),
    h("button", { type: "button", class: cls("fit"), disabled: all, onclick: () => m.look.set(whole) }, "Fit"),
  );
}
