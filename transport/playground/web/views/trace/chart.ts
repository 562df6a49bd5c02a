// The waterfall: a tree grid of rows with bars on the axis.
import { type Child, cls, each, effect, h } from "../../dom.js";
import { count, duration, money, tokens, visible } from "../../format.js";
import { type List, list } from "../../list.js";
import { since } from "./axis.js";
import { header, overlay, panning } from "./header.js";
import { icon } from "./icons.js";
import { type Model } from "./model.js";
import { digest, type Part, parts, press, type Row, took, used } from "./rows.js";
import { type Span, standing } from "./spans.js";
import { kindOf, note, states } from "./words.js";

export function chart(m: Model): HTMLElement {
  const keys = (e: KeyboardEvent) => pressed(m, l, e), opened = Date.now();
  const l: List<Row> = list<Row>({
    items: m.rows,
    key: (r) => r.span.key,
    render: (r, nth) => line(m, r, nth),
    head: header(m),
    // What a person opened at the end of a session that rests stays where it is.
    stick: () => m.words() === "" && (m.at() !== undefined || m.closed().size === 0 || m.trace().open.size > 0),
    // One that rested before it was opened shows its newest turn from the beginning.
    from: () => (m.at() === undefined && m.trace().open.size === 0 && m.trace().last < opened ? m.rows().findLast((r) => r.level === 1)?.span.key : undefined),
    props: {
      class: "chart-rows", role: "treegrid", tabindex: "0", "aria-label": "Waterfall: arrows move, + and − zoom, 0 shows all",
      "aria-activedescendant": () => (m.span() ? `row-${m.chosen()}` : null), onkeydown: keys,
    },
  });
  // What is chosen can be seen, also where the pane that it opens takes its room.
  let shown = "";
  effect(() => {
    const key = m.span()?.key, open = m.pane() !== "", seen = `${key} ${open}`;
    if (!key || shown === seen) return;
    const where = shown === "" ? "middle" : "near";
    shown = seen;
    requestAnimationFrame(() => l.reveal(key, where));
  });
  return h("div", { class: "chart" }, overlay(m), panning(m, l.box));
}

function pressed(m: Model, l: List<Row>, e: KeyboardEvent): void {
  if (e.altKey || e.ctrlKey || e.metaKey) return;
  if (panning.key(m, e)) return e.preventDefault();
  if (e.key === "Escape") return m.pane.set("");
  if (e.key === "Enter" || e.key === " ") {
    if (m.span()) m.pane.set("span");
    return e.preventDefault();
  }
  const move = press(e.key, m.rows(), m.chosen(), l.fit());
  if (!move) return;
  e.preventDefault();
  if (move.open) fold(m, move.open);
  if (move.close) fold(m, move.close);
  if (move.to) {
    m.chosen.set(move.to);
    if (m.pane() !== "") m.pane.set("span");
    l.reveal(move.to);
  }
}

/** Opens a row that is closed, and closes one that is open. */
export function fold(m: Model, key: string): void {
  const row = m.rows().find((r) => r.span.key === key);
  if (row?.open !== undefined) m.closed.set(new Map(m.closed.peek()).set(key, row.open));
}

function line(m: Model, r: () => Row, nth: () => number): HTMLElement {
  const s = () => r().span, key = r().span.key;
  const choose = () => {
    m.chosen.set(key);
    m.pane.set("span");
  };
  return h(
    "div",
    {
      class: () => cls("tr", `kind-${s().kind}`, `is-${standing(s())}`, m.chosen() === key && "chosen"), role: "row", id: `row-${key}`, "aria-rowindex": nth,
      "aria-level": () => r().level, "aria-posinset": () => r().nth, "aria-setsize": () => r().of,
      "aria-expanded": () => (r().open === undefined ? null : String(r().open)), "aria-selected": () => String(m.chosen() === key), onclick: choose,
    },
    h("div", { class: "tr-name", role: "gridcell", style: () => `--level:${r().level - 1}` }, toggle(m, r, key), h("span", { class: "kind-dot", "aria-hidden": "true" }), h("span", { class: "sr" }, () => kindOf(s())), h("span", { class: "tr-text", title: () => visible(s().name.slice(0, 500)) }, () => visible(s().name.slice(0, 200))), () => badge(s()), h("span", { class: "tr-note" }, () => visible(note(s()).slice(0, 160)))),
    h("div", { class: "tr-track", role: "gridcell" }, bars(m, r)),
    h("div", { class: "tr-num tr-took", role: "gridcell" }, () => length(m, s())),
    h("div", { class: "tr-num tr-tokens", role: "gridcell" }, () => (used(s()) ? count(tokens(used(s()))) : "")),
    h("div", { class: "tr-num tr-cost", role: "gridcell" }, () => money(s().cost?.totalUsd)),
  );
}

function toggle(m: Model, r: () => Row, key: string): HTMLElement {
  const click = (e: Event) => {
    e.stopPropagation();
    fold(m, key);
  };
  return h("button", { type: "button", class: () => cls("tr-toggle plain", r().open === undefined && "leaf"), tabindex: "-1", "aria-label": () => (r().open ? "Close" : "Open"), disabled: () => r().open === undefined, onclick: click }, () => (r().open === undefined ? "" : icon(r().open ? "open" : "shut")));
}

function badge(s: Span): Child {
  const status = standing(s), state = states[status] ?? (s.facts.stubbed ? "stubbed" : undefined);
  if (!state || status === "open" || s.kind === "text" || s.kind === "reasoning") return [];
  return h("span", { class: cls("tr-badge", status === "failed" && "bad", status === "waiting" && "warn") }, state);
}

function length(m: Model, s: Span): Child {
  if (s.kind === "mark") return "";
  const t = took(s, m.now());
  if (t.all === 0 && (s.kind === "text" || s.kind === "reasoning")) return "";
  return h("span", { title: t.waited > 0 ? `of which ${duration(t.waited)} waiting` : null }, duration(t.all));
}

/** The parts of a bar, and of a closed row what lies inside; what is not looked at is left out. */
function bars(m: Model, r: () => Row): Child {
  const seen = () => {
    const { span, open } = r(), axis = m.axis(), { a, b } = m.look(), now = m.now();
    const own = parts(span, now).map((p) => ({ ...p, cls: `bit bit-${p.kind}`, title: spoken(p, m) }));
    const inner = open === false ? digest(span, now).map((p) => ({ ...p, cls: `bit inner kind-${p.kind}${p.kind === "wait" ? " bit-wait" : ""}`, title: null })) : [];
    return [...own, ...inner].map((p, i) => ({ ...p, i, from: (axis.place(p.from) - a) / (b - a), to: (axis.place(p.to) - a) / (b - a) })).filter((x) => x.to >= 0 && x.from <= 1);
  };
  return each(seen, (x) => String(x.i), (x) => {
    const style = () => {
      const from = Math.max(-0.01, x().from), to = Math.min(1.01, x().to);
      return `left:min(${(from * 100).toFixed(3)}%, 100% - var(--half));width:${(Math.max(0, to - from) * 100).toFixed(3)}%`;
    };
    return h("span", { class: () => x().cls, style, title: () => x().title });
  });
}

const said = { wait: "Waited", reply: "Replied", work: "Worked", lost: "No host worked on it for" };
const spoken = (p: Part, m: Model): string => `${said[p.kind]} ${duration(p.to - p.from)}, from ${since(p.from - m.axis().from)}`;
