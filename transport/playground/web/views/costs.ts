// What the sessions used: tokens and money by day, by model, and the dearest sessions.
import { get } from "../api.js";
import { type Child, computed, h, signal } from "../dom.js";
import { ago, count, money, tokens, visible } from "../format.js";
import { to } from "../router.js";
import { say, type View } from "../shell.js";
import { chart } from "./costs/chart.js";
import { byDay, byModel, type Row, sum, top } from "./costs/sums.js";

export const costs: View = { name: "costs", title: "Costs", render: () => show() };

/** How many pages of 200 are read at a time. */
const pages = 5;

function show(): Child {
  const all = signal<Row[] | undefined>(undefined), cursor = signal(""), reading = signal(false), days = signal(14);
  const read = async () => {
    reading.set(true);
    try {
      for (let i = 0; i < pages; i++) {
        const reply = await get(`/v1/sessions?limit=200${cursor.peek() ? "&cursor=" + encodeURIComponent(cursor.peek()) : ""}`);
        all.set([...(all.peek() ?? []), ...reply.sessions]);
        cursor.set(reply.cursor ?? "");
        if (!reply.cursor) break;
      }
    } catch (e) {
      say(e);
      all.set(all.peek() ?? []);
    }
    reading.set(false);
  };
  void read();
  const since = () => Date.now() - days() * 86_400_000;
  const shown = computed(() => (all() ?? []).filter((r) => Date.parse(r.updatedAt) >= since()));
  return h(
    "section",
    { class: "page stack costs" },
    h("div", { class: "row" }, h("h1", null, "Costs"), h("span", { class: "grow" }), h("label", { class: "row" }, h("span", { class: "dim small" }, "Time"), h("select", { onchange: (e: Event) => days.set(Number((e.target as HTMLSelectElement).value)) }, [[7, "7 days"], [14, "14 days"], [30, "30 days"], [90, "90 days"]].map(([n, name]) => h("option", { value: n, selected: n === days.peek() }, name))))),
    () => (all() === undefined ? h("p", { class: "dim" }, "…") : all()!.length === 0 ? h("p", { class: "empty" }, "There are no sessions yet.") : h("div", { class: "stack" }, tiles(shown()), figures(shown, days), models(shown()), dearest(shown()))),
    h("p", { class: "row small dim", role: "status" }, () => `${(all() ?? []).length} sessions read, by the day they were last worked on.`, () => (cursor() !== "" ? h("button", { type: "button", disabled: reading, onclick: () => void read() }, "Read older ones") : [])),
  );
}

function tiles(rows: Row[]): HTMLElement {
  const s = sum("", rows), tile = (name: string, value: string, more = "") => h("div", { class: "card tile" }, h("span", { class: "dim small" }, name), h("b", { class: "num" }, value), h("span", { class: "dim small" }, more));
  return h(
    "div",
    { class: "tiles" },
    tile("Cost", s.usd === undefined ? "–" : money(s.usd), s.unpriced > 0 ? `${s.unpriced} sessions without a known price` : "all prices known"),
    tile("Tokens", count(tokens(s.usage)), `${count(s.usage.outputTokens)} of output`),
    tile("From cache", tokens(s.usage) === 0 ? "–" : `${Math.round((100 * s.usage.cacheReadTokens) / Math.max(1, s.usage.inputTokens + s.usage.cacheReadTokens + s.usage.cacheWriteTokens))} %`, "of the input"),
    tile("Sessions", count(s.sessions), `${count(s.turns)} turns`),
  );
}

function figures(shown: () => Row[], days: () => number): Child {
  const sums = () => byDay(shown(), days(), Date.now()), day = (name: string) => new Date(`${name}T12:00`).toLocaleDateString(undefined, { day: "numeric", month: "short" });
  return [
    chart({ title: "Cost by day", series: [{ name: "US dollars", style: "use-in" }], read: (v) => money(v), bars: () => sums().map((s) => ({ label: day(s.name), title: `${day(s.name)}: ${money(s.usd ?? 0)}, ${s.sessions} sessions`, values: [s.usd ?? 0] })) }),
    chart({
      title: "Tokens by day",
      series: [{ name: "Input", style: "use-in" }, { name: "From cache", style: "use-cached" }, { name: "Into cache", style: "use-stored" }, { name: "Output", style: "use-out" }],
      read: count,
      bars: () => sums().map((s) => ({ label: day(s.name), title: `${day(s.name)}: ${count(tokens(s.usage))} tokens, ${s.sessions} sessions`, values: [s.usage.inputTokens, s.usage.cacheReadTokens, s.usage.cacheWriteTokens, s.usage.outputTokens] })),
    }),
  ];
}

function models(rows: Row[]): HTMLElement {
  const all = byModel(rows), most = Math.max(...all.map((s) => s.usd ?? 0), 1e-9);
  return h(
    "div",
    { class: "card stack" },
    h("h2", null, "By model"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "By model" }, h("table", null,
      h("thead", null, h("tr", null, ["Model", "Sessions", "Tokens", "Cost"].map((n, i) => h("th", { scope: "col", class: i > 0 && "num-col" }, n)))),
      h("tbody", null, all.map((s) => h("tr", null, h("th", { scope: "row", class: "plain-head" }, visible(s.name || "without a known price"), h("span", { class: "meter", "aria-hidden": "true", style: `width:${(100 * (s.usd ?? 0)) / most}%` })), h("td", { class: "num num-col" }, count(s.sessions)), h("td", { class: "num num-col" }, count(tokens(s.usage))), h("td", { class: "num num-col" }, s.usd === undefined ? "–" : money(s.usd))))),
    )),
  );
}

function dearest(rows: Row[]): HTMLElement {
  return h(
    "div",
    { class: "card stack" },
    h("h2", null, "The dearest sessions"),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The dearest sessions" }, h("table", null,
      h("thead", null, h("tr", null, ["Session", "Worked on", "Turns", "Tokens", "Cost"].map((n, i) => h("th", { scope: "col", class: i > 1 && "num-col" }, n)))),
      h("tbody", null, top(rows, 10).map((r) => h("tr", null, h("th", { scope: "row", class: "plain-head" }, h("a", { href: to("trace", r.id) }, visible((r.title || r.lastMessage || r.id).slice(0, 80)))), h("td", { class: "num dim" }, ago(r.updatedAt)), h("td", { class: "num num-col" }, count(r.turns)), h("td", { class: "num num-col" }, r.usage ? count(tokens(r.usage)) : "–"), h("td", { class: "num num-col" }, r.cost ? money(r.cost.totalUsd) : "–")))),
    )),
  );
}
