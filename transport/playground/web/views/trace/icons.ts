// The signs on buttons, drawn, so that they look alike with every font.
import { h } from "../../dom.js";

const shapes = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M4 2.5v11L13 8z",
  pause: "M3.5 3h3v10h-3zM9.5 3h3v10h-3z",
  on: "M5 3v10l7-5z",
  close: "M4.2 3 3 4.2 6.8 8 3 11.8 4.2 13 8 9.2l3.8 3.8 1.2-1.2L9.2 8 13 4.2 11.8 3 8 6.8z",
  open: "M3 6h10l-5 6z",
  up: "M3 10h10L8 4z",
  shut: "M6 3v10l6-5z",
  less: "M3 7.2h10v1.6H3z",
  more: "M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z",
};

export const icon = (name: keyof typeof shapes): HTMLElement => h("svg", { viewBox: "0 0 16 16", class: "icon", "aria-hidden": "true", focusable: "false" }, h("svg:path", { d: shapes[name] }));
