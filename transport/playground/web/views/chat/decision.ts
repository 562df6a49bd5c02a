// A request for a decision, as it is shown, and the way of the decision to the host.
import { get, path, post } from "../../api.js";
import { cleanup, signal } from "../../dom.js";
import { layout, member } from "../../rawjson.js";
import type { Call } from "../../session.js";
import type { Live } from "./live.js";
import { table } from "../../table.js";

/** A request as it is shown: its arguments are the bytes that were recorded. */
export interface Asked {
  callId: string;
  requestId: string;
  name: string;
  effect: string;
  args: string;
  by?: string;
  expiresAt?: string;
}

export function asked(live: Live, c: Call): Asked {
  const { requestId, expiresAt, line } = c.approval!, data = JSON.parse(line).data;
  return {
    callId: c.id, requestId, expiresAt, name: c.name, effect: c.effect,
    args: layout(member(line, "data", "args") ?? ""), by: live.session.call(data.parentCallId)?.subagent?.name,
  };
}

export interface State {
  is: "checking" | "ready" | "sending" | "faulty" | "over";
  text: string;
}

/** How long a card is seen before it can be decided, in milliseconds. */
const settle = 500;

/** Where the decision on a request stands. It can be taken while it is "ready" alone: after
 *  the host said that it would run just what is shown. */
export class Decision {
  readonly state = signal<State>({ is: "checking", text: "Checking that these are the current arguments …" });
  private left = false;

  constructor(readonly live: Live, readonly asked: Asked) {
    cleanup(() => (this.left = true));
    void this.check();
  }

  async check(): Promise<void> {
    try {
      const [fault] = await Promise.all([this.fault(), new Promise((done) => setTimeout(done, settle))]);
      this.set(fault ? { is: "faulty", text: fault } : { is: "ready", text: "" });
    } catch (e) {
      this.set({ is: "faulty", text: (e as Error).message });
    }
  }

  again(): void {
    this.set({ is: "checking", text: "Checking again …" });
    void this.check();
  }

  async take(decision: "approve" | "deny", reason: string): Promise<void> {
    if (this.state.peek().is !== "ready") return;
    this.set({ is: "sending", text: "" });
    try {
      await post(path`/v1/session/${this.live.id}/approvals/${this.asked.callId}`, { decision, ...(reason && { reason }) });
      this.end(decision === "approve" ? "You approved it." : "You denied it.");
    } catch (e) {
      this.set({ is: "faulty", text: (e as Error).message });
    }
  }

  /** Says that it was decided, here or elsewhere. */
  end(text = this.outcome()): void {
    if (!this.left) this.state.set({ is: "over", text });
  }

  private set(s: State): void {
    if (!this.left && this.state.peek().is !== "over") this.state.set(s);
  }

  // fault says what is not as it is shown, if anything.
  private async fault(): Promise<string> {
    const { approvals } = await get(path`/v1/session/${this.live.id}/approvals`), { callId, requestId, args } = this.asked;
    const now = approvals.find((x: any) => x.callId === callId);
    if (!now || now.requestId !== requestId) return "The host no longer asks for this.";
    const same = (now.args === undefined ? "" : JSON.stringify(now.args)) === (args && JSON.stringify(JSON.parse(args)));
    return same ? "" : "The host has other arguments for this call: reload the page.";
  }

  private outcome(): string {
    const d = this.live.session.call(this.asked.callId)?.decided;
    const words = table<string>({ approve: "It was approved", deny: "It was denied", expired: "Nobody decided in time: it was denied" });
    return d?.requestId === this.asked.requestId && words[d.decision] ? `${words[d.decision]}${d.by ? ` by ${d.by}` : ""}.` : "It is no longer asked.";
  }
}
