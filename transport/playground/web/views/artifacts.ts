// What the agent made: records, and files with a preview.
import { get } from "../api.js";
import { type Child, h, type Signal, signal } from "../dom.js";
import { ago, isolated, visible } from "../format.js";
import { poll } from "../poll.js";
import { go, to } from "../router.js";
import { info, say, type View } from "../shell.js";
import { type Artifact, record } from "./artifacts/record.js";
import { bytes } from "./artifacts/kind.js";

export const artifacts: View = { name: "artifacts", title: "Artifacts", render: (id, query) => (id === "" ? all(query) : record(id)) };

const steps = [100, 1000];

function all(query: URLSearchParams): Child {
  const list = signal<Artifact[] | undefined>(undefined), kind = signal(query.get("kind") ?? ""), session = signal(query.get("session") ?? ""), most = signal(steps[0]);
  let asked = 0;
  const again = poll(async () => {
    const mine = asked, q = new URLSearchParams({ limit: String(most.peek()) });
    if (kind.peek()) q.set("kind", kind.peek());
    if (session.peek().trim()) q.set("sessionId", session.peek().trim());
    try {
      const reply = await get(`/v1/artifacts?${q}`);
      if (mine === asked) list.set(reply.artifacts);
    } catch (e) {
      if (mine !== asked || list.peek()) return;
      say(e);
      list.set([]);
    }
  }, 5000);
  const change = () => {
    asked++;
    list.set(undefined);
    go(to("artifacts", "", Object.fromEntries(Object.entries({ kind: kind.peek(), session: session.peek().trim() }).filter(([, v]) => v !== ""))), true);
    again();
  };
  return h("section", { class: "page stack" }, h("h1", null, "Artifacts"), bar(list, kind, session, change), () => {
    const found = list();
    if (!found) return h("p", { class: "dim" }, "…");
    if (found.length === 0) return h("p", { class: "empty card" }, kind() || session() ? "No artifact fits." : "There are no artifacts yet. Tools and the agent make them.");
    return [
      h("ul", { class: "card made" }, found.map(row)),
      found.length >= most() && most() < steps[1] && h("p", null, h("button", { type: "button", onclick: () => (most.set(steps[1]), change()) }, "Show more")),
    ];
  });
}

function bar(list: () => Artifact[] | undefined, kind: Signal<string>, session: Signal<string>, change: () => void): HTMLElement {
  const seen = new Set<string>(kind.peek() ? [kind.peek()] : []);
  const options = () => {
    for (const k of info()?.artifacts ?? []) seen.add(k.kind);
    for (const a of list() ?? []) seen.add(a.kind);
    return [...seen].sort().map((k) => h("option", { value: k, selected: k === kind.peek() }, visible(k)));
  };
  return h(
    "form",
    { class: "row", role: "search", onsubmit: (e: Event) => (e.preventDefault(), change()) },
    h("select", { "aria-label": "Kind", onchange: (e: Event) => (kind.set((e.target as HTMLSelectElement).value), change()) }, h("option", { value: "" }, "All kinds"), options),
    h("input", { type: "search", class: "mono made-session", "aria-label": "Id of a session", placeholder: "ses_… of a session", spellcheck: "false", value: session.peek(), onchange: (e: Event) => (session.set((e.target as HTMLInputElement).value), change()) }),
  );
}

function row(a: Artifact): HTMLElement {
  return h(
    "li",
    { class: "made-row" },
    h("div", { class: "run-name" }, h("a", { href: to("artifacts", a.id) }, isolated(a.title || a.key || a.id)), h("span", { class: "small dim mono" }, visible(a.fileName || a.key || a.id))),
    h("span", { class: "chip" }, visible(a.kind)),
    h("span", { class: "small dim num" }, a.hasContent ? `${visible(a.contentType ?? "file")} · ${bytes(a.size ?? 0)}` : "record"),
    h("span", { class: "small dim num" }, ago(a.updatedAt)),
  );
}
