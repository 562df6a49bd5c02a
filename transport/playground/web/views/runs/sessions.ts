// The sessions that the reader may see, searched and filtered by the host.
import { get } from "../../api.js";
import { type Child, cleanup, cls, effect, h, type Signal, signal, untracked } from "../../dom.js";
import { ago, count, isolated, money, tokens, visible } from "../../format.js";
import { label, statusWords, tones } from "../../label.js";
import { list } from "../../list.js";
import { poll } from "../../poll.js";
import { go, to } from "../../router.js";
import { say } from "../../shell.js";
import { address, continued, kinds, type Pages, renewed, type Row, type Wish } from "./pages.js";

const limit = 50, every = 5000;

export function sessions(query: URLSearchParams): Child {
  const wish = signal<Wish>({ q: query.get("q") ?? "", status: query.get("status") ?? "", purpose: query.get("purpose") ?? "" });
  const pages = signal<Pages | undefined>(undefined), reading = signal(false);
  let asked = 0;
  const page = async (cursor: string): Promise<Pages> => {
    const reply = await get(address(wish.peek(), limit, cursor));
    return { rows: reply.sessions, cursor: reply.cursor ?? "" };
  };
  // read takes an answer only while nothing else was wished for since.
  const read = async (fresh: boolean): Promise<void> => {
    const mine = asked;
    try {
      const first = await page("");
      if (mine === asked) pages.set(fresh || !pages.peek() ? first : renewed(pages.peek()!, first));
    } catch (e) {
      if (mine !== asked || pages.peek()) return; // the next turn asks again
      say(e);
      pages.set({ rows: [], cursor: "" });
    }
  };
  const more = async (): Promise<void> => {
    const mine = asked, cursor = pages.peek()?.cursor;
    if (!cursor || reading.peek()) return;
    reading.set(true);
    try {
      const next = await page(cursor);
      if (mine === asked) pages.set(continued(pages.peek()!, next));
    } catch (e) {
      say(e);
    }
    reading.set(false);
  };
  const change = (part: Partial<Wish>) => {
    wish.set({ ...wish.peek(), ...part });
    asked++;
    const w = wish.peek();
    go(to("runs", "", Object.fromEntries(Object.entries(w).filter(([, v]) => v.trim() !== ""))), true);
    return read(true);
  };
  poll(() => read(false), every);
  return [bar(wish, change), table(pages, more), foot(pages, wish, reading, more)];
}

function bar(wish: Signal<Wish>, change: (part: Partial<Wish>) => Promise<void>): HTMLElement {
  let timer = 0;
  cleanup(() => clearTimeout(timer)); // who left for another view is not brought back
  const later = (q: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => void change({ q }), 200);
  };
  const choice = (name: "status" | "purpose", label: string, all: string, words: Record<string, string>) =>
    h("select", { "aria-label": label, onchange: (e: Event) => void change({ [name]: (e.target as HTMLSelectElement).value }) }, h("option", { value: "" }, all), Object.entries(words).map(([value, word]) => h("option", { value, selected: wish.peek()[name] === value }, word)));
  return h(
    "form",
    { class: "runs-bar", role: "search", onsubmit: (e: Event) => e.preventDefault() },
    h("input", { type: "search", "aria-label": "Search titles and ids", placeholder: "Search titles and ids", value: wish.peek().q, oninput: (e: Event) => later((e.target as HTMLInputElement).value) }),
    choice("status", "Status", "Any status", statusWords),
    choice("purpose", "Purpose", "Live and evals", { live: "Live", eval: "Evals" }),
  );
}

function table(pages: () => Pages | undefined, more: () => Promise<void>): Child {
  const columns = ["Session", "Status", "Owner", "Channel", "Turns", "Tokens", "Cost", "Updated", "Open in"];
  const l = list<Row>({
    items: () => pages()?.rows ?? [],
    key: (r) => r.id,
    render: row,
    head: h("div", { class: "run run-head small", role: "row" }, columns.map((c, i) => h("span", { role: "columnheader", class: cls(i > 3 && i < 8 && "num-col") }, c))),
    props: { class: "runs-list", role: "table", tabindex: "0", "aria-label": "Sessions", "aria-rowcount": () => (pages()?.rows.length ?? 0) + 1 },
  });
  l.box.addEventListener("scroll", () => l.box.scrollTop + 2 * l.box.clientHeight > l.box.scrollHeight && void more());
  return l.box;
}

function row(r: () => Row): HTMLElement {
  const id = untracked(r).id, open = (view: string, title: string) => h("a", { href: to(view, id) }, title);
  const owner = () => visible(r().principal.id);
  return h(
    "div",
    { class: "run", role: "row" },
    h("div", { class: "run-name", role: "rowheader" },
      h("a", { href: to("chat", id), title: () => label(r()) }, () => label(r())),
      h("span", { class: "small dim" }, h("span", { class: "mono" }, id), () => kinds(r()).map((k) => ` · ${k}`), () => r().title && r().lastMessage ? ` · ${isolated(r().lastMessage!)}` : ""),
    ),
    h("div", { role: "cell", class: "run-status" }, () => h("span", { class: cls("chip", tones[r().status]) }, statusWords[r().status] ?? visible(r().status))),
    h("div", { role: "cell", class: "run-owner cut small", title: () => [r().principal.kind, r().principal.issuer, r().principal.tenant, r().principal.id].filter(Boolean).map((x) => visible(x!)).join(" · ") }, owner),
    h("div", { role: "cell", class: "cut small wide-only" }, () => visible(r().channelId)),
    h("div", { role: "cell", class: "num num-col wide-only" }, () => count(r().turns)),
    h("div", { role: "cell", class: "num num-col wide-only" }, () => count(tokens(r().usage))),
    h("div", { role: "cell", class: "num num-col wide-only" }, () => (r().cost ? money(r().cost!.totalUsd) : "–")),
    h("div", { role: "cell", class: "num num-col dim small run-ago", title: () => new Date(r().updatedAt).toLocaleString() }, () => ago(r().updatedAt)),
    h("div", { role: "cell", class: "run-links small" }, open("chat", "Chat"), open("trace", "Trace"), open("raw", "Raw")),
  );
}

function foot(pages: () => Pages | undefined, wish: () => Wish, reading: () => boolean, more: () => Promise<void>): Child {
  const narrowed = () => Object.values(wish()).some((v) => v.trim() !== "");
  const said = signal("");
  effect(() => {
    const p = pages();
    if (!p) return said.set("…");
    const n = p.rows.length;
    said.set(n > 0 ? `${count(n)}${p.cursor ? " and older" : ""} session${n === 1 && !p.cursor ? "" : "s"}` : narrowed() ? "No session fits. Titles and ids are searched, not messages." : "There are no sessions yet. Say something in the chat first.");
  });
  return h("p", { class: () => cls("runs-foot small dim", pages()?.rows.length === 0 && "none") }, h("span", { role: "status" }, said), () => (pages()?.cursor ? h("button", { type: "button", disabled: reading, onclick: () => void more() }, "Show older ones") : []));
}
