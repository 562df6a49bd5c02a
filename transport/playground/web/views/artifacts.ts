// What the agent made: records, and files with a preview.
import { get } from "../api.js";
import { batch, type Child, cls, computed, h, type Signal, signal, untracked } from "../dom.js";
import { ago, count, isolated, visible } from "../format.js";
import { filling, nothing } from "../frame.js";
import { list } from "../list.js";
import { poll } from "../poll.js";
import { asked, go, to } from "../router.js";
import { info, say, type View } from "../shell.js";
import { type Artifact, record } from "./artifacts/record.js";
import { badge, bytes } from "./artifacts/kind.js";

export const artifacts: View = { name: "artifacts", title: "Artifacts", render: (id, query) => (id === "" ? all(query) : record(id)) };

// So many are asked for, and so many when the reader comes to their end: the host gives no more.
const steps = [100, 1000];

function all(query: URLSearchParams): Child {
  const found = signal<Artifact[] | undefined>(undefined), kind = signal(query.get("kind") ?? ""), session = signal(query.get("session") ?? ""), most = signal(steps[0]), words = signal(query.get("q") ?? "");
  let turn = 0;
  const again = poll(async () => {
    const mine = turn, q = new URLSearchParams({ limit: String(most.peek()) });
    if (kind.peek()) q.set("kind", kind.peek());
    if (session.peek().trim()) q.set("sessionId", session.peek().trim());
    try {
      const reply = await get(`/v1/artifacts?${q}`);
      if (mine === turn) found.set(reply.artifacts);
    } catch (e) {
      if (mine !== turn || found.peek()) return;
      say(e);
      found.set([]);
    }
  }, 5000);
  const tell = () => go(to("artifacts", "", Object.fromEntries(Object.entries({ q: words.peek().trim(), kind: kind.peek(), session: session.peek().trim() }).filter(([, v]) => v !== ""))), true);
  const change = () => {
    turn++;
    found.set(undefined);
    tell();
    again();
  };
  asked("artifacts", "", (q) => {
    const k = q.get("kind") ?? "", of = q.get("session")?.trim() ?? "", w = q.get("q")?.trim() ?? "";
    if (w !== words.peek().trim()) words.set(w);
    if (k === kind.peek() && of === session.peek().trim()) return;
    batch(() => (kind.set(k), session.set(of)));
    change();
  });
  const more = () => {
    if ((found.peek()?.length ?? 0) < most.peek() || most.peek() === steps[1]) return;
    most.set(steps[1]);
    again();
  };
  const shown = computed(() => (found() ?? []).filter((a) => fits(a, words())));
  return filling("made", { title: "Artifacts", tools: tools(found, kind, session, words, tell, change) }, table(shown, more), foot(found, shown, most, more, () => kind() !== "" || session().trim() !== ""));
}

const fits = (a: Artifact, words: string): boolean => `${a.title}\n${a.key}\n${a.fileName ?? ""}\n${a.id}`.toLowerCase().includes(words.trim().toLowerCase());

function tools(found: () => Artifact[] | undefined, kind: Signal<string>, session: Signal<string>, words: Signal<string>, tell: () => void, change: () => void): Child {
  const seen = new Set<string>(kind.peek() ? [kind.peek()] : []);
  const kinds = computed(() => {
    for (const k of info()?.artifacts ?? []) seen.add(k.kind);
    for (const a of found() ?? []) seen.add(a.kind);
    return JSON.stringify([...seen].sort());
  });
  const options = () => (JSON.parse(kinds()) as string[]).map((k) => h("option", { value: k, selected: () => k === kind() }, visible(k)));
  return [
    h("input", { type: "search", "aria-label": "Search titles, keys and file names", placeholder: "Search titles, keys and file names", spellcheck: "false", value: words, oninput: (e: Event) => (words.set((e.target as HTMLInputElement).value), tell()) }),
    h("select", { "aria-label": "Kind", onchange: (e: Event) => (kind.set((e.target as HTMLSelectElement).value), change()) }, h("option", { value: "", selected: () => kind() === "" }, "All kinds"), options),
    h("input", { type: "search", class: "mono made-session", "aria-label": "Id of a session", placeholder: "ses_… of a session", spellcheck: "false", value: session, onchange: (e: Event) => (session.set((e.target as HTMLInputElement).value), change()) }),
  ];
}

function table(shown: () => Artifact[], more: () => void): HTMLElement {
  const columns = ["Artifact", "Kind", "Session", "Size", "Updated"];
  const l = list<Artifact>({
    items: shown,
    key: (a) => a.id,
    render: row,
    head: h("div", { class: "made-row made-head small", role: "row", "aria-rowindex": 1 }, columns.map((c, i) => h("span", { role: "columnheader", class: cls(i > 2 && "num-col") }, c))),
    props: { class: "made-list", role: "table", tabindex: "0", "aria-label": "Artifacts" },
  });
  l.box.addEventListener("scroll", () => l.box.scrollTop + 2 * l.box.clientHeight > l.box.scrollHeight && more());
  return l.box;
}

function row(a: () => Artifact, nth: () => number): HTMLElement {
  const { id, sessionId } = untracked(a), what = () => [a().fileName && visible(a().fileName!), visible(a().key)].filter(Boolean).join(" · ");
  return h(
    "div",
    { class: "made-row", role: "row", "aria-rowindex": nth },
    h("div", { class: "made-what", role: "rowheader" }, h("span", { class: "made-badge mono", "aria-hidden": "true" }, () => badge(a())), h("div", { class: "run-name" }, h("a", { href: to("artifacts", id), title: () => isolated(a().title || a().key || id) }, () => isolated(a().title || a().key || id)), h("span", { class: "small dim mono" }, what))),
    h("div", { role: "cell", class: "cut" }, h("span", { class: "chip" }, () => visible(a().kind))),
    h("div", { role: "cell", class: "small" }, h("a", { class: "mono made-link", href: to("chat", sessionId), title: sessionId, "aria-label": `Session ${sessionId}` }, `…${sessionId.slice(-8)}`)),
    h("div", { role: "cell", class: "small dim num num-col", title: () => visible(a().contentType ?? "") }, () => (a().hasContent ? bytes(a().size ?? 0) : "record")),
    h("div", { role: "cell", class: "small dim num num-col", title: () => new Date(a().updatedAt).toLocaleString() }, () => ago(a().updatedAt)),
  );
}

function foot(found: () => Artifact[] | undefined, shown: () => Artifact[], most: () => number, more: () => void, narrowed: () => boolean): Child {
  const state = computed(() => (!found() ? "reading" : shown().length > 0 ? "some" : narrowed() || found()!.length > 0 ? "unfit" : "none"));
  const full = () => (found()?.length ?? 0) >= most(), older = computed(() => full() && most() < steps[1]);
  const said = computed(() => {
    const all = found()?.length ?? 0, some = shown().length;
    return some < all ? `${count(some)} of ${count(all)} artifacts` : `${count(all)}${full() ? " newest" : ""} artifact${all === 1 ? "" : "s"}`;
  });
  return () => {
    if (state() === "reading") return h("p", { class: "runs-foot small dim" }, "…");
    if (state() === "unfit") return nothing("No artifact fits.", "Choose another kind, or leave a field empty.");
    if (state() === "none") return nothing("There are no artifacts yet.", "Tools and hooks make them with ctx.artifacts.tag, and the model with a tool of its own where the project allows it.", ["artifacts", "About artifacts"]);
    return h("p", { class: "runs-foot small dim" }, h("span", { role: "status" }, said), () => older() && h("button", { type: "button", onclick: more }, "Show older ones"));
  };
}
