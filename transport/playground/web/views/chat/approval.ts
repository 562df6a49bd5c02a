// The place where people decide on calls. It shows one call at a time and stands still: a
// card stays until it is left, so that a second click cannot meet the next one.
import { get, path, post } from "../../api.js";
import { type Child, cleanup, cls, computed, effect, h, signal, untracked } from "../../dom.js";
import { duration, visible } from "../../format.js";
import { layout, member } from "../../rawjson.js";
import type { Call } from "../../session.js";
import type { Live } from "./live.js";

/** A request as it is shown: its arguments are the bytes that were recorded. */
interface Asked {
  callId: string;
  requestId: string;
  name: string;
  effect: string;
  args: string;
  by?: string;
  expiresAt?: string;
}

type State = { is: "checking" | "ready" | "sending" | "faulty" | "over"; text: string };

/** How long a card is seen before it can be decided, in milliseconds. */
const settle = 500;

function asked(live: Live, c: Call): Asked {
  const { requestId, expiresAt, line } = c.approval!, data = JSON.parse(line).data;
  return {
    callId: c.id, requestId, expiresAt, name: c.name, effect: c.effect,
    args: layout(member(line, "data", "args") ?? ""), by: live.session.call(data.parentCallId)?.subagent?.name,
  };
}

export function approvals(live: Live): Child {
  const waiting = computed(() => (live.version(), live.session.waiting.map((c) => c.approval!.requestId).join(" ")));
  const shown = signal<Asked | undefined>(undefined);
  let pointed = false, focused = false;
  const next = () => {
    const first = live.session.waiting[0];
    shown.set(first && asked(live, first));
  };
  // Only a card that nobody points at gives way.
  const settled = () => !pointed && !focused && !live.session.waiting.some((c) => c.approval!.requestId === shown.peek()?.requestId);
  effect(() => {
    waiting();
    untracked(() => settled() && next());
  });
  const left = () => settled() && next();
  return () => {
    const a = shown();
    pointed = focused = false;
    if (!a) return null;
    return untracked(() => h(
      "section",
      {
        class: "approval", "aria-label": `Decision on ${visible(a.name)}`,
        onmousemove: () => (pointed = true), onmouseleave: () => ((pointed = false), left()),
        onfocusin: () => (focused = true), onfocusout: (e: FocusEvent) => (e.currentTarget as HTMLElement).contains(e.relatedTarget as Node) || ((focused = false), left()),
      },
      card(live, a, () => waiting().split(" ").filter(Boolean), next),
    ));
  };
}

function card(live: Live, a: Asked, waiting: () => string[], next: () => void): Child {
  const state = signal<State>({ is: "checking", text: "Checking that these are the current arguments …" });
  let ended = false;
  cleanup(() => (ended = true));
  const gone = computed(() => !waiting().includes(a.requestId));
  const set = (s: State) => !ended && !untracked(gone) && state.set(s);
  const check = () => void Promise.all([current(live, a), new Promise((done) => setTimeout(done, settle))]).then(
    ([fault]) => set(fault ? { is: "faulty", text: fault } : { is: "ready", text: "" }),
    (e) => set({ is: "faulty", text: `${e.message}.` }),
  );
  check();
  const over = () => state().is === "over";
  const reason = h("input", { hidden: over, type: "text", placeholder: "reason (optional)", "aria-label": "Reason", maxlength: "500" }) as HTMLInputElement;
  const says = h("span", { class: () => cls("approval-says", state().is === "faulty" && "bad-text"), role: "status", tabindex: "-1" }, () => visible(state().text));
  // Who decided by keyboard goes on from the button that comes next.
  const finish = (s: State) => {
    const here = reason.closest("section"), had = here?.contains(document.activeElement);
    state.set(s);
    if (had) here!.querySelector<HTMLElement>(".approval-next")?.focus();
  };
  const decide = async (decision: string) => {
    if (state.peek().is !== "ready") return;
    if (reason.closest("section")?.contains(document.activeElement)) says.focus(); // a disabled button would lose it
    set({ is: "sending", text: "" });
    try {
      await post(path`/v1/session/${live.id}/approvals/${a.callId}`, { decision, ...(reason.value.trim() && { reason: reason.value.trim() }) });
      if (!ended) finish({ is: "over", text: decision === "approve" ? "You approved it." : "You denied it." });
    } catch (e) {
      set({ is: "faulty", text: (e as Error).message });
    }
  };
  effect(() => {
    if (gone() && untracked(() => state().is) !== "over") untracked(() => finish({ is: "over", text: outcome(live, a) }));
  });
  const button = (decision: string, word: string, kind: string) =>
    h("button", { type: "button", class: kind, hidden: over, disabled: () => state().is !== "ready", "data-call": a.callId, "data-request": a.requestId, onclick: () => void decide(decision) }, word);
  return [
    h(
      "div",
      { class: "approval-head" },
      h("h2", null, h("span", { class: "mono" }, visible(a.name)), a.by ? ` of the subagent ${visible(a.by)}` : "", " wants your approval"),
      a.effect === "write" && h("span", { class: "chip" }, "write"),
      h("span", { class: "grow" }),
      expiry(a),
      () => others(waiting().filter((id) => id !== a.requestId).length, state().is === "over", next),
    ),
    h("pre", { tabindex: "0", "aria-label": "Arguments, as they are stored and will be run" }, visible(a.args || "no arguments")),
    h(
      "div",
      { class: "approval-foot" },
      reason,
      says,
      () => state().is === "faulty" && h("button", { type: "button", onclick: () => (state.set({ is: "checking", text: "Checking again …" }), check()) }, "Check again"),
      button("deny", "Deny", "bad"),
      button("approve", "Approve", "main"),
    ),
  ];
}

// current says what is not as it is shown: "" when the host would run just this.
async function current(live: Live, a: Asked): Promise<string> {
  const { approvals } = await get(path`/v1/session/${live.id}/approvals`);
  const now = approvals.find((x: any) => x.callId === a.callId);
  if (!now || now.requestId !== a.requestId) return "The host no longer asks for this.";
  const same = (now.args === undefined ? "" : JSON.stringify(now.args)) === (a.args && JSON.stringify(JSON.parse(a.args)));
  return same ? "" : "The host has other arguments for this call: reload the page.";
}

function outcome(live: Live, a: Asked): string {
  const d = live.session.call(a.callId)?.decided;
  const words: Record<string, string> = { approve: "It was approved", deny: "It was denied", expired: "Nobody decided in time: it was denied", cancelled: "It is no longer asked" };
  return d?.requestId === a.requestId ? `${words[d.decision] ?? d.decision}${d.by ? ` by ${d.by}` : ""}.` : "It is no longer asked.";
}

function others(n: number, over: boolean, next: () => void): Child {
  if (over) return h("button", { type: "button", class: "approval-next", onclick: next }, n > 0 ? "Next approval" : "Close");
  return n > 0 && h("span", { class: "chip warn" }, `${n} more wait${n === 1 ? "s" : ""}`);
}

function expiry(a: Asked): Child {
  if (!a.expiresAt) return null;
  const at = Date.parse(a.expiresAt), left = signal(at - Date.now());
  const timer = setInterval(() => left.set(at - Date.now()), 1000);
  cleanup(() => clearInterval(timer));
  const far = (ms: number) => (ms > 86_400_000 ? new Date(at).toLocaleString() : ms > 3_600_000 ? `in ${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min` : `in ${duration(Math.floor(ms / 1000) * 1000)}`);
  return h("span", { class: "dim small num", title: a.expiresAt }, () => (left() > 0 ? `expires ${far(left())}` : "expires now"));
}
