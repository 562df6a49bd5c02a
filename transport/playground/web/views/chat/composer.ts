// Where people write: a message, or a slash command.
import { ApiError, ask, base, token } from "../../api.js";
import { type Child, cls, computed, h, type Signal, signal } from "../../dom.js";
import { curl } from "../../curl.js";
import { go, to } from "../../router.js";
import { address, customRoutes } from "../../routes.js";
import { info } from "../../shell.js";
import { answer, queryOf, run } from "./answer.js";
import { completion } from "./complete.js";
import { key, type Live, tokens } from "./live.js";
import { attach, clear, given, optionsBar } from "./options.js";
import { commands, type Line, read, usage } from "./slash.js";
import { copy } from "./value.js";

// What is written and not sent stays for its session, while the page does.
const drafts = new Map<string, Signal<string>>();
function draft(id: string): Signal<string> {
  if (!drafts.has(id)) drafts.set(id, signal(""));
  return drafts.get(id)!;
}

type Said = { tone: "plain" | "bad"; text: string };

/** The composer of a session, or, without one, of a new session. */
export function composer(live: Live | undefined): HTMLElement {
  const text = draft(live?.id ?? ""), said = signal<Said | undefined>(undefined), sending = signal(false), confirmed = signal("");
  const list = computed(() => commands(customRoutes(info()?.channels)));
  const busy = computed(() => Boolean(live && (live.version(), live.busy)));
  const command = computed(() => (text().startsWith("/") ? list().find((c) => text().startsWith(`/${c.name} `)) : undefined));
  const write = (value: string) => {
    text.set(value);
    said.set(undefined);
    grow();
  };
  const completing = completion(text, list, write);
  const tell = (t: string, tone: Said["tone"] = "bad") => said.set(t ? { tone, text: t } : undefined);

  const area = h("textarea", {
    id: "message", rows: "1", value: () => text(), placeholder: live ? "Write a message, or / for commands" : "Write the first message, or / for commands",
    "aria-autocomplete": "list", "aria-controls": "commands", "aria-haspopup": "listbox", "aria-activedescendant": () => completing.active(), "aria-describedby": "composer-says",
    oninput: () => write(area.value),
    onkeydown: (e: KeyboardEvent) => {
      if (completing.key(e)) e.preventDefault();
      else if (e.key === "Enter" && !e.shiftKey && !e.isComposing) (e.preventDefault(), void submit());
    },
    onpaste: (e: ClipboardEvent) => {
      if (live || !e.clipboardData?.files.length) return;
      e.preventDefault();
      void attach(e.clipboardData.files).then(tell);
    },
  }) as HTMLTextAreaElement;
  const grow = () => queueMicrotask(() => {
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  });
  grow();

  const act = async (line: Line): Promise<boolean> => {
    switch (line.kind) {
      case "help":
        answer.set(list());
        return true;
      case "fault":
        tell(line.message + (line.command ? `. ${usage(line.command)}` : ""));
        return false;
      case "call":
        return run(line.command, line.body, line.query);
      case "unknown":
        if (confirmed.peek() === text.peek()) return message();
        confirmed.set(text.peek());
        tell(`There is no command /${line.name}${line.near ? `; did you mean /${line.near}?` : ""} /help lists them. Press Enter again to send this to the agent.`, "plain");
        return false;
      case "message":
        return message();
    }
  };
  const message = async (): Promise<boolean> => {
    const words = text.peek();
    if (!live) {
      const reply = await ask("POST", "/v1/session", { message: words, ...given() }, undefined, { "idempotency-key": startKey(words + JSON.stringify(given())) });
      started = undefined;
      tokens.set(reply.sessionId, reply.continuationToken);
      clear();
      text.set("");
      go(to("chat", reply.sessionId));
      return true;
    }
    if ((await live.send(words)) === "sent") return true;
    tell("A message from elsewhere came first, so this one was not sent. Read it, and press Enter to send yours.");
    return false;
  };
  const submit = async () => {
    if (sending.peek() || text.peek().trim() === "") return;
    sending.set(true);
    said.set(undefined);
    try {
      if (await act(read(text.peek(), list()))) write("");
    } catch (e) {
      tell(e instanceof ApiError && e.code ? e.message : "The host did not answer. Press Enter to try again: nothing is sent twice.");
    }
    sending.set(false);
    area.focus();
  };

  const hint = (): Said => {
    const c = command();
    if (said()) return said()!;
    if (c) return { tone: "plain", text: usage(c) };
    if (busy()) return { tone: "plain", text: "Sending now stops the turn that runs." };
    return { tone: "plain", text: "Enter sends, Shift+Enter begins a new line." };
  };
  const stop = async () => {
    try {
      if (!(await live!.stop()).stopped) tell("Nothing ran any more.", "plain");
    } catch (e) {
      tell((e as Error).message);
    }
  };
  return h(
    "form",
    {
      class: "composer", onsubmit: (e: Event) => (e.preventDefault(), void submit()), ondragover: (e: Event) => !live && e.preventDefault(),
      ondrop: (e: DragEvent) => {
        if (live || !e.dataTransfer?.files.length) return;
        e.preventDefault();
        void attach(e.dataTransfer.files).then(tell);
      },
    },
    !live && optionsBar((t) => tell(t)),
    h("div", { class: "box" }, completing.list, h("label", { class: "sr", for: "message" }, "Message"), area),
    h(
      "div",
      { class: "composer-foot" },
      h("span", { id: "composer-says", role: "status", class: () => cls("says small", hint().tone === "bad" && "bad-text"), title: () => hint().text }, () => hint().text),
      copy(() => asCurl(live, text.peek(), read(text.peek(), list())), "Copy as curl", "curl"),
      live && h("button", { type: "button", class: "bad", hidden: () => !busy(), onclick: () => void stop() }, "Stop"),
      h("button", { type: "submit", class: "main send", disabled: () => sending() || text().trim() === "" }, () => (busy() && !text().startsWith("/") ? "Interrupt and send" : "Send")),
    ),
  );
}

// A start that got no answer is sent again under its key, so that there is one session.
let started: { what: string; key: string } | undefined;
function startKey(what: string): string {
  if (started?.what !== what) started = { what, key: key() };
  return started.key;
}

/** The request that the composer would send. */
function asCurl(live: Live | undefined, message: string, line: Line): string {
  const where = location.origin + base;
  if (line.kind === "call") {
    const { route } = line.command, body = line.body && JSON.stringify(line.body);
    return curl(route.method, where + address(route, {}, queryOf(line.query)), body, { token: token.peek() !== "" });
  }
  const body = live ? { continuationToken: tokens.get(live.id) ?? "", message } : { message, ...given() };
  return curl("POST", `${where}/v1/session${live ? `/${live.id}` : ""}`, JSON.stringify(body), { token: token.peek() !== "" });
}

/** What stands for the composer where nobody can write. */
export const closed = (live: Live, why: string): Child =>
  h("div", { class: "composer" }, h("div", { class: "composer-foot" }, h("span", { class: "says dim" }, why), h("button", { type: "button", class: "bad", hidden: () => (live.version(), !live.busy), onclick: () => void live.stop() }, "Stop")));
