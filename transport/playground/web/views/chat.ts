// The conversation: what was said and done, what waits for a person, and where to write.
import { type Child, computed, effect, h, signal, untracked } from "../dom.js";
import { isolated, plural, visible } from "../format.js";
import { to } from "../router.js";
import { customRoutes } from "../routes.js";
import { agents, info, type View } from "../shell.js";
import { table } from "../table.js";
import { windowed } from "../windowed.js";
import { head } from "./head.js";
import { answerCard } from "./chat/card.js";
import { approvals } from "./chat/approval.js";
import { closed, composer } from "./chat/composer.js";
import { Live } from "./chat/live.js";
import { row } from "./chat/row.js";
import { type Row, rows } from "./chat/rows.js";
import { narrow, side } from "./chat/side.js";
import { commands, usage } from "./chat/slash.js";

export const chat: View = { name: "chat", title: "Chat", render: (id) => (id ? conversation(id) : fresh()) };

function fresh(): Child {
  return h("div", { class: "chat" }, h("div", { class: "chat-in" }, side(""), h("div", { class: "talk" }, h("div", { class: "hello-box" }, hello()), answerCard, composer(undefined))));
}

function hello(): Child {
  return () => {
    const a = info();
    if (!a) return null;
    const list = commands(customRoutes(a.channels)), description = agents().find((x) => x.slug === a.slug)?.description;
    const has = [a.model && visible(a.model), plural(a.tools?.length ?? 0, "tool"), a.skills?.length && plural(a.skills.length, "skill"), a.subagents?.length && plural(a.subagents.length, "subagent")];
    return h(
      "div",
      { class: "hello" },
      h("h1", null, isolated(a.name)),
      description && h("p", null, isolated(description)),
      h("p", { class: "dim" }, has.filter(Boolean).join(" · "), " · ", h("a", { href: to("agent") }, "What it is made of")),
      list.length > 0 && h("ul", { class: "hello-commands" }, list.slice(0, 8).map((c) => h("li", null, h("code", null, visible(usage(c))), h("span", { class: "dim" }, isolated(c.description))))),
    );
  };
}

function conversation(id: string): Child {
  const live = new Live(id), list = signal<Row[]>([]), open = signal(false);
  effect(() => {
    live.version();
    list.set(rows(live.session, (key, otherwise) => live.unfolded(key, otherwise)));
  });
  const transcript = () => h("div", { class: "transcript" }, h("h2", { class: "sr" }, "Conversation"), windowed<Row>({ items: list, key: (r) => r.key, render: (r) => row(live, r), height: 64, stick: true, label: "Conversation" }));
  return h(
    "div",
    { class: "chat" },
    () => !live.error() && untracked(() => head({ id, session: () => (live.version(), live.session), link: live.link }, narrow(open))),
    h("div", { class: "chat-in" }, side(id, live, open), h("div", { class: "talk" }, () => (live.error() ? lost(live) : untracked(() => [transcript(), answerCard, approvals(live), writer(live)])))),
  );
}

function writer(live: Live): Child {
  const task = computed(() => live.row()?.mode === "task");
  return () => (task() ? closed(live, "This session is a task: it ends by itself, and takes no messages.") : untracked(() => composer(live)));
}

function lost(live: Live): Child {
  const e = live.error()!;
  const words = table<string>({ unknown_session: "There is no such session.", forbidden: "This session belongs to somebody else.", deleted: "This session was deleted." });
  return h("div", { class: "empty" }, h("p", null, words[e.code] ?? e.message), h("p", null, h("a", { href: to("chat") }, "Begin a new one")));
}
