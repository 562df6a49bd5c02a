// A chart of stacked bars in SVG, with the same as a table for whom a picture is none.
import { type Child, cleanup, h, signal } from "../../dom.js";
import { scale } from "./sums.js";

export interface Bar {
  label: string;
  /** What is said of it. */
  title: string;
  values: number[];
}

interface Options {
  title: string;
  series: { name: string; style: string }[];
  bars: () => Bar[];
  read: (value: number) => string;
}

const high = 200, low = 24, left = 56, right = 16;

export function chart(o: Options): HTMLElement {
  const width = signal(720);
  const box = h("div", { class: "chart-box" }, () => picture(o, o.bars(), width()));
  const watch = new ResizeObserver(() => width.set(Math.max(260, box.clientWidth)));
  watch.observe(box);
  cleanup(() => watch.disconnect());
  return h(
    "figure",
    { class: "card stack" },
    h("figcaption", { class: "row" }, h("h2", null, o.title), h("span", { class: "grow" }), h("ul", { class: "legend" }, o.series.map((s) => h("li", null, h("span", { class: `swatch ${s.style}`, "aria-hidden": "true" }), s.name)))),
    box,
    h("details", null, h("summary", { class: "small dim" }, "As a table"), () => table(o, o.bars())),
  );
}

function picture(o: Options, bars: Bar[], width: number): Child {
  const lines = scale(Math.max(...bars.map((b) => b.values.reduce((x, y) => x + y, 0)), 0));
  const y = (v: number) => high - (v / lines[lines.length - 1]) * (high - 12);
  const slot = (width - left - right) / bars.length, wide = Math.max(2, Math.min(36, slot * 0.7)), every = Math.ceil(bars.length / Math.max(1, Math.floor((width - left - right) / 64)));
  return h(
    "svg",
    { viewBox: `0 0 ${width} ${high + low}`, width, height: high + low, role: "img", "aria-label": `${o.title}: the table below has the numbers` },
    lines.map((v) => h("svg:g", null, h("svg:line", { class: "grid-line", x1: left, x2: width, y1: y(v), y2: y(v) }), h("svg:text", { class: "grid-text", x: left - 8, y: y(v) + 4, "text-anchor": "end" }, o.read(v)))),
    bars.map((b, i) => {
      let base = 0;
      const x = left + slot * i + (slot - wide) / 2;
      const parts = b.values.map((v, s) => {
        const from = y(base), to = y((base += v));
        return v > 0 ? h("svg:rect", { class: o.series[s].style, x, y: to, width: wide, height: Math.max(1, from - to), rx: 1 }) : null;
      });
      const named = (bars.length - 1 - i) % every === 0;
      return h("svg:g", { class: "bar-group" }, h("svg:title", null, b.title), h("svg:rect", { class: "hit", x: left + slot * i, y: 0, width: slot, height: high }), parts, named && h("svg:text", { class: "grid-text", x: x + wide / 2, y: high + 18, "text-anchor": "middle" }, b.label));
    }),
  );
}

function table(o: Options, bars: Bar[]): HTMLElement {
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": o.title },
    h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Day"), o.series.map((s) => h("th", { scope: "col", class: "num-col" }, s.name)))),
      h("tbody", null, bars.map((b) => h("tr", null, h("th", { scope: "row", class: "num" }, b.label), b.values.map((v) => h("td", { class: "num num-col" }, o.read(v)))))),
    ),
  );
}
