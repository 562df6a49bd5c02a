// What is written in the composer, and what becomes of it: a message of a session, the first
// of a new one, or a command.
import { ApiError, ask, host, token } from "../../api.js";
import { curl } from "../../curl.js";
import { type Signal, signal } from "../../dom.js";
import { titleOf } from "../../label.js";
import { go, to } from "../../router.js";
import { address, queryOf } from "../../routes.js";
import { answer, run } from "./answer.js";
import { key, type Live, tokens } from "./live.js";
import { clear, given } from "./options.js";
import { type Command, type Line, read, usage } from "./slash.js";

// What is written and not sent stays for its session, while the page does.
const drafts = new Map<string, Signal<string>>();
export function draft(id: string): Signal<string> {
  if (!drafts.has(id)) drafts.set(id, signal(""));
  return drafts.get(id)!;
}

// A session that is begun here is called by its first message, in every list.
const opening = (message: string) => ({ message, title: titleOf(message) });

export interface Said {
  tone: "plain" | "bad";
  text: string;
}

export class Writer {
  readonly text: Signal<string>;
  readonly said = signal<Said | undefined>(undefined);
  readonly sending = signal(false);
  private confirmed = "";
  /** A start that got no answer is sent again under its key, so that there is one session. */
  private started: { what: string; key: string } | undefined;

  constructor(readonly live: Live | undefined, readonly commands: () => Command[]) {
    this.text = draft(live?.id ?? "");
  }

  write(value: string): void {
    this.text.set(value);
    this.confirmed = "";
    this.said.set(undefined);
  }

  tell(text: string, tone: Said["tone"] = "bad"): void {
    this.said.set(text ? { tone, text } : undefined);
  }

  /** Sends what is written, once; what could not be sent stays. */
  async submit(): Promise<void> {
    const words = this.text.peek();
    if (this.sending.peek() || words.trim() === "") return;
    this.sending.set(true);
    this.said.set(undefined);
    const line = read(words, this.commands());
    try {
      if ((await this.act(line, words)) && this.text.peek() === words) this.write("");
    } catch (e) {
      this.tell(e instanceof ApiError && e.code ? e.message : line.kind === "call" ? "The host did not answer, so that nobody knows whether the route was called." : "The host did not answer. Press Enter to try again: nothing is sent twice.");
    }
    this.sending.set(false);
  }

  private async act(line: Line, words: string): Promise<boolean> {
    switch (line.kind) {
      case "help":
        answer.set(this.commands());
        return true;
      case "fault":
        this.tell(line.message + (line.command ? `. ${usage(line.command)}` : ""));
        return false;
      case "call":
        return run(line.command, line.body, line.query);
      case "unknown":
        if (this.confirmed === words) return this.message(words);
        this.confirmed = words;
        this.tell(`There is no command /${line.name}${line.near ? `; did you mean /${line.near}?` : ": /help lists them."} Press Enter again to send this to the agent.`, "plain");
        return false;
      case "message":
        return this.message(words);
    }
  }

  private async message(words: string): Promise<boolean> {
    if (!this.live) return this.start(words);
    if ((await this.live.send(words)) === "sent") return true;
    this.tell("A message from elsewhere came first, so this one was not sent. Read it, and press Enter to send yours.");
    return false;
  }

  private async start(message: string): Promise<boolean> {
    const body = { ...opening(message), ...given() }, what = JSON.stringify(body);
    if (this.started?.what !== what) this.started = { what, key: key() };
    const reply = await ask("POST", "/v1/session", body, undefined, { "idempotency-key": this.started.key });
    tokens.set(reply.sessionId, reply.continuationToken);
    clear();
    this.write("");
    go(to("chat", reply.sessionId));
    return true;
  }

  async stop(): Promise<void> {
    try {
      if (!(await this.live!.stop()).stopped) this.tell("Nothing ran any more.", "plain");
    } catch (e) {
      this.tell((e as Error).message);
    }
  }

  /** The request that submit would send. */
  curl(): string {
    const words = this.text.peek(), line = read(words, this.commands()), o = { token: token.peek() !== "" };
    if (line.kind === "call") {
      const { route } = line.command;
      return curl(route.method, host + address(route, {}, queryOf(line.query)), line.body && JSON.stringify(line.body), o);
    }
    const body = this.live ? { continuationToken: tokens.get(this.live.id) ?? "", message: words } : { ...opening(words), ...given() };
    return curl("POST", `${host}/v1/session${this.live ? `/${this.live.id}` : ""}`, JSON.stringify(body), o);
  }
}
