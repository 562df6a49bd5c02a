// What the sessions used: tokens and money by day, by model and by channel, and the dearest
// sessions.
import { get } from "../api.js";
import { type Child, computed, h, signal } from "../dom.js";
import { ago, count, money, plural, tokens, visible } from "../format.js";
import { nothing, reading as page } from "../frame.js";
import { guide, guides } from "../guide.js";
import { label } from "../label.js";
import { to } from "../router.js";
import { say, type View } from "../shell.js";
import { chart } from "./costs/chart.js";
import { byChannel, byDay, byModel, type Row, sum, type Sum, top, within } from "./costs/sums.js";

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
  const shown = computed(() => within(all() ?? [], days(), Date.now()));
  const range = h("label", { class: "row last" }, h("span", { class: "dim small" }, "Time"), h("select", { onchange: (e: Event) => days.set(Number((e.target as HTMLSelectElement).value)) }, [7, 14, 30, 90].map((n) => h("option", { value: n, selected: n === days.peek() }, `${n} days`))));
  const older = () => cursor() !== "" && h("button", { type: "button", disabled: reading, onclick: () => void read() }, "Read older ones");
  return page("costs", { title: "Costs", about: "What sessions used, by the day on which they were last worked on.", tools: range },
    () => (all() === undefined ? h("p", { class: "dim" }, "…") : all()!.length === 0 ? h("div", { class: "card" }, nothing("There are no sessions yet.", [h("a", { href: to("chat") }, "Say something in the chat"), ": tokens and money are counted as turns end."], ["runtime", "Where prices come from"])) : figures(shown(), days())),
    h("p", { class: "row small dim", role: "status" }, () => all() !== undefined && `${plural(all()!.length, "session")} read.`, older),
  );
}

function figures(rows: Row[], days: number): Child {
  const s = sum("", rows), priced = (s.usd ?? 0) > 0;
  if (rows.length === 0) return h("div", { class: "card" }, nothing(`No session was worked on in the last ${days} days.`, "Choose a longer time, or read older ones."));
  return [tiles(s), priced ? costChart(rows, days) : h("p", { class: "card dim" }, free(s)), tokenChart(rows, days), h("div", { class: "costs-pair" }, shares("By model", "Model", byModel(rows), "without a known price"), shares("By channel", "Channel", byChannel(rows), "")), dearest(rows, priced)];
}

/** Says it in a sentence where a chart of money would be empty. */
function free(s: Sum): Child {
  if (s.usd === undefined) return "No price is known for the models of these days, so there is no chart of money. Tokens are counted all the same.";
  return ["These sessions cost nothing", s.unpriced > 0 && ", as far as prices are known", ". What a provider's model costs is shown here, day by day. ", guides() && guide("quickstart", "Use a provider's model")];
}

function tiles(s: Sum): HTMLElement {
  const tile = (name: string, value: string, more = "") => h("div", { class: "card tile" }, h("span", { class: "dim small" }, name), h("b", { class: "num" }, value), h("span", { class: "dim small" }, more));
  return h(
    "div",
    { class: "tiles" },
    tile("Cost", s.usd === undefined ? "–" : money(s.usd), s.unpriced > 0 ? `${plural(s.unpriced, "session")} without a known price` : "all prices known"),
    tile("A session", s.usd === undefined || s.sessions === s.unpriced ? "–" : money(s.usd / (s.sessions - s.unpriced)), "on average"),
    tile("Tokens", count(tokens(s.usage)), `${count(s.usage.outputTokens)} of output`),
    tile("From cache", tokens(s.usage) === 0 ? "–" : `${Math.round((100 * s.usage.cacheReadTokens) / Math.max(1, s.usage.inputTokens + s.usage.cacheReadTokens + s.usage.cacheWriteTokens))} %`, "of the input"),
    tile("Sessions", count(s.sessions), plural(s.turns, "turn")),
  );
}

const day = (name: string): string => new Date(`${name}T12:00`).toLocaleDateString(undefined, { day: "numeric", month: "short" });

// The models that cost most have a colour each; the others share the last one.
const colours = ["use-in", "use-cached", "use-out", "use-stored"];

function costChart(rows: Row[], days: number): HTMLElement {
  const all = byModel(rows).filter((m) => (m.usd ?? 0) > 0), own = all.length > colours.length ? all.slice(0, colours.length - 1) : all, names = own.map((m) => m.name);
  const series = [...own.map((m, i) => ({ name: visible(m.name), style: colours[i] })), ...(own.length < all.length ? [{ name: "others", style: colours[own.length] }] : [])];
  const sums = byDay(rows, days, Date.now()), parts = [...names.map((n) => byDay(rows.filter((r) => r.cost?.model === n), days, Date.now()))];
  const values = (i: number) => {
    const known = parts.map((p) => p[i].usd ?? 0);
    return own.length < all.length ? [...known, Math.max(0, (sums[i].usd ?? 0) - known.reduce((x, y) => x + y, 0))] : known;
  };
  return chart({ title: "Cost by day", series, read: (v) => money(v), bars: () => sums.map((s, i) => ({ label: day(s.name), title: `${day(s.name)}: ${money(s.usd ?? 0)}, ${plural(s.sessions, "session")}`, values: values(i) })) });
}

function tokenChart(rows: Row[], days: number): HTMLElement {
  return chart({
    title: "Tokens by day",
    series: [{ name: "Input", style: "use-in" }, { name: "From cache", style: "use-cached" }, { name: "Into cache", style: "use-stored" }, { name: "Output", style: "use-out" }],
    read: count,
    bars: () => byDay(rows, days, Date.now()).map((s) => ({ label: day(s.name), title: `${day(s.name)}: ${count(tokens(s.usage))} tokens, ${plural(s.sessions, "session")}`, values: [s.usage.inputTokens, s.usage.cacheReadTokens, s.usage.cacheWriteTokens, s.usage.outputTokens] })),
  });
}

function shares(title: string, what: string, all: Sum[], unnamed: string): HTMLElement {
  const share = (s: Sum) => s.usd ?? 0, most = Math.max(...all.map(share)), used = Math.max(...all.map((s) => tokens(s.usage)), 1);
  const wide = (s: Sum) => (most > 0 ? (100 * share(s)) / most : (100 * tokens(s.usage)) / used);
  return h(
    "section",
    { class: "card stack" },
    h("h2", null, title),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, h("table", null,
      h("thead", null, h("tr", null, [what, "Sessions", "Tokens", "Cost"].map((n, i) => h("th", { scope: "col", class: i > 0 && "num-col" }, n)))),
      h("tbody", null, all.map((s) => h("tr", null, h("th", { scope: "row", class: "plain-head" }, visible(s.name || unnamed), h("span", { class: "meter", "aria-hidden": "true", style: `width:${wide(s)}%` })), h("td", { class: "num num-col" }, count(s.sessions)), h("td", { class: "num num-col" }, count(tokens(s.usage))), h("td", { class: "num num-col" }, s.usd === undefined ? "–" : money(s.usd))))),
    )),
  );
}

function dearest(rows: Row[], priced: boolean): HTMLElement {
  const title = priced ? "The dearest sessions" : "The sessions with the most tokens";
  return h(
    "div",
    { class: "card stack" },
    h("h2", null, title),
    h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, h("table", null,
      h("thead", null, h("tr", null, ["Session", "Worked on", "Turns", "Tokens", "Cost"].map((n, i) => h("th", { scope: "col", class: i > 1 && "num-col" }, n)))),
      h("tbody", null, top(rows, 10).map((r) => h("tr", null, h("th", { scope: "row", class: "plain-head" }, h("a", { href: to("trace", r.id) }, label(r).slice(0, 80))), h("td", { class: "num dim" }, ago(r.updatedAt)), h("td", { class: "num num-col" }, count(r.turns)), h("td", { class: "num num-col" }, r.usage ? count(tokens(r.usage)) : "–"), h("td", { class: "num num-col" }, r.cost ? money(r.cost.totalUsd) : "–")))),
    )),
  );
}
