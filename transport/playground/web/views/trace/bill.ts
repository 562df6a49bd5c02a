// What the turns of a session used: tokens and money, one bar a turn.
import { get, path } from "../../api.js";
import { type Child, cleanup, effect, h, signal } from "../../dom.js";
import { count, money, tokens, type Usage, visible } from "../../format.js";
import { say } from "../../shell.js";
import { usage } from "./detail.js";
import type { Model } from "./model.js";

interface Bill {
  turns: { turnId: string; model?: string; usage: Usage; cost?: { totalUsd: number } }[];
  total: { usage: Usage; totalUsd?: number; complete: boolean };
}

export function bill(m: Model): Child {
  const told = signal<Bill | undefined>(undefined);
  effect(() => {
    m.log.version();
    const stop = new AbortController();
    const timer = setTimeout(() => get(path`/v1/session/${m.id}/cost`, stop.signal).then((r) => told.set(r), (e) => stop.signal.aborted || say(e)), told.peek() ? 1000 : 0);
    cleanup(() => {
      clearTimeout(timer);
      stop.abort();
    });
  });
  return [h("h2", { class: "pane-title" }, "Tokens and cost"), () => (told() ? shown(m, told()!) : h("p", { class: "dim" }, "…"))];
}

function shown(m: Model, b: Bill): Child {
  const most = Math.max(1, ...b.turns.map((t) => tokens(t.usage)));
  return [
    h("p", { class: "total" }, h("b", { class: "num" }, b.total.totalUsd === undefined ? `${count(tokens(b.total.usage))} tokens` : money(b.total.totalUsd)), " ", h("span", { class: "dim" }, b.total.totalUsd === undefined ? "the price of a model is unknown" : `${count(tokens(b.total.usage))} tokens${b.total.complete ? "" : ", and more by models without a known price"}`)),
    usage(b.total.usage),
    h("table", { class: "bill" },
      h("thead", null, h("tr", null, h("th", { scope: "col" }, "Turn"), h("th", { scope: "col", class: "num-col" }, "Tokens"), h("th", { scope: "col", class: "num-col" }, "Cost"))),
      h("tbody", null, b.turns.map((t, i) => row(m, t, i, most))),
    ),
  ];
}

function row(m: Model, t: Bill["turns"][number], i: number, most: number): HTMLElement {
  const u = t.usage, name = m.trace().turns.get(t.turnId)?.name;
  const bits: [number, string][] = [[u.inputTokens, "in"], [u.cacheReadTokens, "cached"], [u.cacheWriteTokens, "stored"], [u.outputTokens, "out"]];
  return h(
    "tr",
    null,
    h("th", { scope: "row" },
      h("button", { type: "button", class: "plain bill-name", title: t.model ? visible(t.model) : null, onclick: () => m.turn.set(m.turn() === t.turnId ? "" : t.turnId) }, `${i + 1}. ${visible((name ?? t.turnId).slice(0, 60))}`),
      h("span", { class: "stackbar thin", "aria-hidden": "true", style: `width:${Math.max(1, (100 * tokens(u)) / most)}%` }, bits.filter(([n]) => n > 0).map(([n, c]) => h("span", { class: `use-${c}`, style: `flex-grow:${n}` }))),
    ),
    h("td", { class: "num num-col" }, count(tokens(u))),
    h("td", { class: "num num-col" }, t.cost ? money(t.cost.totalUsd) : "–"),
  );
}
