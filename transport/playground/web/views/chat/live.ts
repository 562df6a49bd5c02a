// An open session: its log as it grows, and what is asked of the host about it.
import { ApiError, ask, get, path, post } from "../../api.js";
import { computed, signal, untracked } from "../../dom.js";
import { type LogEvent, Session } from "../../session.js";
import { follow } from "../../stream.js";

/** The newest continuation tokens that this tab was given; they outlive the view. */
export const tokens = new Map<string, string>();

/** A message on its way. One that got no answer keeps its key, so that sending it again
 *  cannot send it twice. */
interface Sending {
  body: string;
  key: string;
}

export class Live {
  readonly session: Session;
  /** Changes when the session did, once a frame. */
  readonly version = signal(0);
  readonly error = signal<ApiError | undefined>(undefined);
  /** The session's row, as GET /v1/session/:id has it. */
  readonly row = signal<any>(undefined);
  readonly link;
  private sending: Sending | undefined;
  private sent: string[] = [];
  private frame = 0;
  private folds = new Map<string, boolean>();
  private readonly foldsChanged = signal(0);

  constructor(readonly id: string) {
    this.session = new Session(id);
    this.link = follow(id, 0, (events) => this.take(events), (e) => this.error.set(e));
    void this.refresh();
  }

  private take(events: LogEvent[]): void {
    for (const e of events) {
      this.session.take(e);
      if (e.type === "message.received" && e.data?.from === "user") this.heard(e.data.text);
    }
    if (this.frame) return;
    const next = document.hidden ? (f: () => void) => setTimeout(f, 100) : requestAnimationFrame;
    this.frame = next(() => {
      this.frame = 0;
      this.version.set(this.version.peek() + 1);
    });
  }

  // A message that was not sent from here used the token up.
  private heard(text: string): void {
    const at = this.sent.indexOf(text);
    if (at >= 0) this.sent.splice(at, 1);
    else tokens.delete(this.id);
  }

  async refresh(): Promise<void> {
    try {
      const { session } = await get(path`/v1/session/${this.id}`);
      if (session.continuationToken) tokens.set(this.id, session.continuationToken);
      this.row.set(session);
    } catch (e) {
      if (e instanceof ApiError && [403, 404, 410].includes(e.status)) this.error.set(e);
    }
  }

  /** Whether a turn runs, waits for a person, or waits for its place. */
  get busy(): boolean {
    const turns = this.session.turns;
    for (let i = turns.length - 1; i >= 0 && i >= turns.length - 100; i--) if (/queued|running|waiting/.test(turns[i].status)) return true;
    return false;
  }

  /** Sends a message with the newest token. "stale" says that another came first, and that
   *  this one was not sent. */
  async send(message: string): Promise<"sent" | "stale"> {
    if (!tokens.has(this.id)) await this.refresh();
    const body = JSON.stringify(message);
    if (this.sending?.body !== body) this.sending = { body, key: key() };
    this.sent.push(message);
    try {
      const reply = await ask("POST", path`/v1/session/${this.id}`, { continuationToken: tokens.get(this.id) ?? "", message }, undefined, { "idempotency-key": this.sending.key });
      tokens.set(this.id, reply.continuationToken);
      this.sending = undefined;
      return "sent";
    } catch (e) {
      if (!(e instanceof ApiError) || e.status >= 500) throw e; // it was taken once or not at all
      this.sending = undefined;
      this.sent.splice(this.sent.indexOf(message), 1);
      if (e.code !== "stale_token") throw e;
      await this.refresh();
      return "stale";
    }
  }

  stop = (): Promise<{ stopped: boolean }> => post(path`/v1/session/${this.id}/stop`, {});

  /** A value of the session, followed. */
  now = <T>(f: () => T): (() => T) => computed(() => (this.version(), f()));

  /** Whether what a key names is unfolded. */
  unfolded(name: string, otherwise = false): boolean {
    this.foldsChanged();
    return this.folds.get(name) ?? otherwise;
  }

  fold(name: string, open: boolean): void {
    this.folds.set(name, open);
    untracked(() => this.foldsChanged.set(this.foldsChanged.peek() + 1));
  }
}

/** A key for a request, also where the page has no secure context. */
export function key(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
}
