// A case while its test runs: its turns, and what it asks of the host.
import { openRequests } from "./happened.js";
import { Record } from "./record.js";
import { optionsOf } from "./options.js";
import { kindOf } from "./show.js";
import { turnOf } from "./turn.js";

const { async } = __bdk;
const never = new Promise(() => {});

// faulty gives an error the kind of fault that it is for its case.
export const faulty = (kind, error) => Object.assign(error, { bdkFault: kind });

export class Case {
  #asked = [];
  #busy = "";
  #straying;
  #over = false;
  constructor(id, given, stubs, signal) {
    this.id = id;
    this.given = given;
    this.stubs = stubs;
    this.signal = signal;
    this.record = new Record(id);
    this.turns = [];
  }

  // straying is the error of a test that ended before what it calls did, if there is such.
  get straying() { return this.#busy ? this.#straying : undefined; }
  get judgeConfig() { return this.given.judge; }

  reply() { return this.turns.at(-1)?.turn.message ?? ""; }
  calls() { return this.turns.flatMap((t) => t.callsOf()); }

  // events are those of all turns; what two of them have is there once.
  events() {
    const all = [];
    for (const { facts } of this.turns) {
      for (const e of facts.events) if (all.length === 0 || e.index > all.at(-1).index) all.push(e);
    }
    return all;
  }

  async send(message, options) {
    if (typeof message !== "string" || message.trim() === "") throw new TypeError(`t.send needs a message with text in it, not ${kindOf(message)}`);
    const { head, files, functions } = optionsOf(options, this.stubs, this.turns.length > 0);
    if (this.turns.at(-1)?.facts.status === "parked") throw new Error("t.send: the session waits for an approval; answer it with t.approve() or t.deny() first");
    this.functions ??= functions;
    return await this.#run("t.send", () => async(this.id, "eval.send", message, head, files));
  }

  async decide(name, callId, approve, reason) {
    const last = this.turns.at(-1), open = last?.facts.status === "parked" ? openRequests(last.facts.events).map((e) => e.data.callId) : [];
    if (open.length === 0) throw new Error(`${name}: nothing waits for an approval`);
    if (callId === undefined && open.length > 1) throw new Error(`${name} needs the id of a call, since several wait: ${open.join(", ")}`);
    if (callId !== undefined && !open.includes(callId)) throw new Error(`${name}: no call ${kindOf(callId)} waits for an approval; waiting: ${open.join(", ")}`);
    if (reason !== undefined && typeof reason !== "string") throw new TypeError(`the reason of ${name} is a text, not ${kindOf(reason)}`);
    return await this.#run(name, () => async(this.id, "eval.decide", callId ?? open[0], approve, reason ?? ""));
  }

  async #run(name, start) {
    if (this.#busy) throw new Error(`${name}: ${this.#busy} is under way; await it first`);
    const late = this.#over;
    this.#busy = name;
    this.#straying = new Error(`the test ended while ${name} was under way: await it`);
    try {
      const made = turnOf(this.record, await start());
      this.turns[made.facts.index - 1] = made;
      return made.turn;
    } catch (e) {
      if (this.#over && !late) await never; // nobody is there to whom it could be told
      if (e instanceof Error) e.stack = this.#straying.stack; // where the test called, which the host does not know
      throw e;
    } finally {
      this.#busy = "";
    }
  }

  // end says that the test has ended.
  end() { this.#over = true; }

  // ask gives what a judge's model answers to a prompt: {text, model}.
  ask(prompt, config) {
    const asking = this.#ask(prompt, config);
    asking.catch(() => {}); // rested waits for it
    this.#asked.push(asking);
    return asking;
  }

  async #ask(prompt, config) {
    const model = config.model?.id ?? config.model; // with params it is {id, params}
    if (typeof model !== "string" || model === "") {
      throw faulty("judge", new Error('no model is set for the judge: set judge: { model: "…" } in evals.config.ts, in the eval, in the case, or in the call'));
    }
    try {
      return JSON.parse(await async(this.id, "eval.judge", prompt, __bdk.evals.encode(config, "the judge's configuration")));
    } catch (e) {
      throw faulty("judge", e);
    }
  }

  // rested waits for the judges that were asked, awaited by the test or not.
  async rested() {
    for (let i = 0; i < this.#asked.length; i++) await this.#asked[i].catch(() => {});
  }
}
