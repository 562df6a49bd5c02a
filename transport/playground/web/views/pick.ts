// Where a view of one session has none: the newest ones, to choose from.
import { get } from "../api.js";
import { type Child, cls, h, signal } from "../dom.js";
import { ago, count, money, tokens } from "../format.js";
import { label, standing } from "../label.js";
import { to } from "../router.js";
import { say } from "../shell.js";

export function pick(view: string, title: string): Child {
  const all = signal<any[] | undefined>(undefined);
  get("/v1/sessions?limit=50").then((r) => all.set(r.sessions), say);
  return h("section", { class: "page stack" }, h("h1", null, title), h("p", { class: "dim" }, "Choose a session."), () => {
    const sessions = all();
    if (!sessions) return h("p", { class: "dim" }, "…");
    if (sessions.length === 0) return h("p", { class: "empty" }, "There are no sessions yet. Say something in the chat first.");
    return h("ul", { class: "picks card" }, sessions.map((s) => row(view, s)));
  });
}

function row(view: string, s: any): HTMLElement {
  return h(
    "li",
    { class: "pick" },
    h("a", { href: to(view, s.id), title: label(s) }, label(s)),
    h("span", { class: cls("chip", standing(s).tone), title: s.lastError }, standing(s).word),
    h("span", { class: "dim small num" }, `${count(tokens(s.usage))} tokens`, s.cost ? ` · ${money(s.cost.totalUsd)}` : ""),
    h("span", { class: "dim small num" }, ago(s.updatedAt)),
  );
}
