// The sessions that the reader may see, searched and filtered by the host.
import { get } from "../../api.js";
import { type Child, cleanup, cls, computed, h, signal, untracked } from "../../dom.js";
import { count, isolated, money, tokens, visible } from "../../format.js";
import { filling, nothing } from "../../frame.js";
import { label, standing, statusWords } from "../../label.js";
import { list } from "../../list.js";
import { poll } from "../../poll.js";
import { asked, go, to } from "../../router.js";
import { say } from "../../shell.js";
import { byDays, type OnDay, timeOfDay } from "./days.js";
import { runKinds } from "./kinds.js";
import { address, continued, kinds, type Pages, renewed, type Row, type Wish } from "./pages.js";

const limit = 50, every = 5000;

export function sessions(query: URLSearchParams): Child {
  const wanted = (q: URLSearchParams): Wish => ({ q: q.get("q")?.trim() ?? "", status: q.get("status") ?? "", purpose: q.get("purpose") ?? "" });
  const wish = signal<Wish>(wanted(query)), told = signal(wish.peek());
  const pages = signal<Pages | undefined>(undefined), reading = signal(false);
  let turn = 0, shown = -1; // the wish that counts, and the one whose pages are shown
  const page = async (cursor: string): Promise<Pages> => {
    const reply = await get(address(wish.peek(), limit, cursor));
    return { rows: reply.sessions, cursor: reply.cursor ?? "" };
  };
  // read takes an answer only while nothing else was wished for since.
  const read = async (): Promise<void> => {
    const mine = turn;
    try {
      const first = await page("");
      if (mine !== turn) return;
      pages.set(shown === mine ? renewed(pages.peek()!, first) : first);
      shown = mine;
    } catch (e) {
      if (mine !== turn || shown === mine) return; // the next poll asks again
      say(e);
      if (!pages.peek()) pages.set({ rows: [], cursor: "" });
    }
  };
  const more = async (): Promise<void> => {
    const mine = turn, cursor = pages.peek()?.cursor;
    if (!cursor || shown !== mine || reading.peek()) return;
    reading.set(true);
    try {
      const next = await page(cursor);
      if (mine === turn && pages.peek()!.cursor === cursor) pages.set(continued(pages.peek()!, next));
    } catch (e) {
      say(e);
    }
    reading.set(false);
  };
  const change = (part: Partial<Wish>) => {
    wish.set({ ...wish.peek(), ...part });
    turn++;
    const w = wish.peek();
    go(to("runs", "", Object.fromEntries(Object.entries(w).map(([name, v]) => [name, v.trim()]).filter(([, v]) => v !== ""))), true);
    return read();
  };
  asked("runs", "", (q) => {
    const w = wanted(q), now = wish.peek();
    if (w.q === now.q.trim() && w.status === now.status && w.purpose === now.purpose) return;
    told.set(w);
    void change(w);
  });
  poll(read, every);
  return filling("runs", { title: "Runs", tools: [runKinds(""), filters(told, change)] }, table(pages, more), foot(pages, wish, reading, more));
}

function filters(told: () => Wish, change: (part: Partial<Wish>) => Promise<void>): Child {
  let timer = 0;
  cleanup(() => clearTimeout(timer)); // who left for another view is not brought back
  const later = (q: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => void change({ q }), 200);
  };
  const choice = (name: "status" | "purpose", label: string, all: string, words: Record<string, string>) =>
    h("select", { "aria-label": label, onchange: (e: Event) => void change({ [name]: (e.target as HTMLSelectElement).value }) }, h("option", { value: "", selected: () => told()[name] === "" }, all), Object.entries(words).map(([value, word]) => h("option", { value, selected: () => told()[name] === value }, word)));
  return [
    h("input", { type: "search", "aria-label": "Search titles and ids", placeholder: "Search titles and ids", spellcheck: "false", value: () => told().q, oninput: (e: Event) => later((e.target as HTMLInputElement).value) }),
    choice("status", "Status", "Any status", statusWords),
    choice("purpose", "Purpose", "Live and evals", { live: "Live", eval: "Evals" }),
  ];
}

/** How high the name of a day is: --s6. */
const dayHigh = 32;

function table(pages: () => Pages | undefined, more: () => Promise<void>): Child {
  const columns = ["Session", "Status", "Owner", "Channel", "Turns", "Tokens", "Cost", "Updated", "Open in"];
  const items = computed(() => byDays(pages()?.rows ?? [], Date.now()));
  const l = list<OnDay<Row>>({
    items,
    key: (x) => x.row.id,
    more: (x) => (x.day ? dayHigh : 0),
    rows: (x) => (x.day ? 2 : 1),
    render: (x, nth) => {
      const day = computed(() => x().day);
      return h("div", { role: "presentation" }, () => day() && h("div", { class: "run-day small", role: "row", "aria-rowindex": nth }, h("span", { role: "rowheader", "aria-colspan": columns.length }, day())), row(() => x().row, () => nth() + (day() ? 1 : 0)));
    },
    head: h("div", { class: "run run-head small", role: "row", "aria-rowindex": 1 }, columns.map((c, i) => h("span", { role: "columnheader", class: cls(i > 3 && i < 8 && "num-col") }, c))),
    props: { class: "runs-list", role: "table", tabindex: "0", "aria-label": "Sessions" },
  });
  l.box.addEventListener("scroll", () => l.box.scrollTop + 2 * l.box.clientHeight > l.box.scrollHeight && void more());
  return l.box;
}

function row(r: () => Row, nth: () => number): HTMLElement {
  const id = untracked(r).id, open = (view: string, title: string) => h("a", { href: to(view, id) }, title);
  const owner = () => visible(r().principal.id), stands = () => standing(r()), why = () => r().lastError, last = () => !why() && r().title && r().lastMessage;
  return h(
    "div",
    { class: "run", role: "row", "aria-rowindex": nth },
    h("div", { class: "run-name", role: "rowheader" },
      h("a", { href: to("chat", id), title: () => label(r()) }, () => label(r())),
      h("span", { class: "small dim" }, () => why() && [h("span", { class: "bad-text" }, isolated(why()!)), " · "], h("span", { class: "mono" }, id), () => kinds(r()).map((k) => ` · ${k}`), () => last() && ` · ${isolated(last() as string)}`),
    ),
    h("div", { role: "cell", class: "run-status" }, () => h("span", { class: cls("small", stands().tone ? `chip ${stands().tone}` : "dim") }, stands().word)),
    h("div", { role: "cell", class: "run-owner cut small", title: () => [r().principal.kind, r().principal.issuer, r().principal.tenant, r().principal.id].filter(Boolean).map((x) => visible(x!)).join(" · ") }, owner),
    h("div", { role: "cell", class: "cut small wide-only" }, () => visible(r().channelId)),
    h("div", { role: "cell", class: "num num-col small wide-only" }, () => count(r().turns)),
    h("div", { role: "cell", class: "num num-col small wide-only" }, () => count(tokens(r().usage))),
    h("div", { role: "cell", class: "num num-col small wide-only" }, () => (r().cost ? money(r().cost!.totalUsd) : "–")),
    h("div", { role: "cell", class: "num num-col dim small run-ago", title: () => new Date(r().updatedAt).toLocaleString() }, () => timeOfDay(r().updatedAt, Date.now())),
    h("div", { role: "cell", class: "run-links small" }, open("chat", "Chat"), open("trace", "Trace"), open("raw", "Raw")),
  );
}

function foot(pages: () => Pages | undefined, wish: () => Wish, reading: () => boolean, more: () => Promise<void>): Child {
  const narrowed = () => Object.values(wish()).some((v) => v.trim() !== "");
  const said = computed(() => {
    const p = pages();
    if (!p) return "…";
    const n = p.rows.length;
    return n === 0 ? "" : `${count(n)}${p.cursor ? " and older" : ""} session${n === 1 && !p.cursor ? "" : "s"}`;
  });
  const state = computed(() => (pages()?.rows.length !== 0 ? "some" : narrowed() ? "unfit" : "none")), older = computed(() => Boolean(pages()?.cursor));
  return () => {
    if (state() === "none") return nothing("There are no sessions yet.", [h("a", { href: to("chat") }, "Say something in the chat"), ", or call the agent over HTTP."], ["sessions", "About sessions"]);
    if (state() === "unfit") return nothing("No session fits.", "Titles and ids are searched, and the last message of a session without a title.");
    return h("p", { class: "runs-foot small dim" }, h("span", { role: "status" }, said), () => older() && h("button", { type: "button", "aria-disabled": () => String(reading()), onclick: () => void more() }, "Show older ones"));
  };
}
