// The place where people decide on calls. It shows one call at a time, and no card takes the
// place of another: one that is decided stays with its verdict until it is left, and the next
// one comes when somebody asks for it. So a press that was meant for one call meets no other.
import { batch, type Child, cleanup, cls, computed, effect, h, signal, untracked } from "../../dom.js";
import { duration, visible } from "../../format.js";
import { asked, type Asked, Decision } from "./decision.js";
import type { Live } from "./live.js";

/** How long a verdict stays that nobody looks at, in milliseconds. */
const moment = 4000;

export function approvals(live: Live): Child {
  const waiting = live.now(() => live.session.waiting.map((c) => c.approval!.requestId).join(" ")), ids = () => waiting().split(" ").filter(Boolean);
  const shown = signal<Asked | undefined>(undefined), pointed = signal(false), focused = signal(false);
  const first = () => {
    const c = live.session.waiting[0];
    batch(() => {
      pointed.set(false);
      focused.set(false);
      shown.set(c && asked(live, c));
    });
  };
  // Whoever asks for the next one goes on from what it would do, not from a button.
  const next = () => {
    first();
    document.querySelector<HTMLElement>(".approval pre, #message")?.focus();
  };
  effect(() => {
    const a = shown(), all = ids();
    if (!a) return untracked(first);
    if (all.length > 0 || pointed() || focused()) return;
    const timer = setTimeout(() => shown.set(undefined), moment);
    cleanup(() => clearTimeout(timer));
  });
  const leaves = (e: FocusEvent) => (e.currentTarget as HTMLElement).contains(e.relatedTarget as Node) || focused.set(false);
  const place = (a: Asked) => h(
    "section",
    {
      class: "approval", "aria-label": `Decision on ${visible(a.name)}`, onfocusin: () => focused.set(true), onfocusout: leaves,
      onmouseenter: () => pointed.set(true), onmousemove: () => pointed.set(true), onmouseleave: () => pointed.set(false),
    },
    card(new Decision(live, a), ids, next),
  );
  const told = () => (shown() && ids().includes(shown()!.requestId) ? `${visible(shown()!.name)} wants your approval` : "");
  return [h("p", { class: "sr", role: "status" }, told), () => shown() && untracked(() => place(shown.peek()!))];
}

function card(d: Decision, waiting: () => string[], next: () => void): Child {
  const a = d.asked, over = computed(() => d.state().is === "over"), more = computed(() => waiting().filter((id) => id !== a.requestId).length);
  const foot: HTMLElement = decide(d, over);
  const gone = computed(() => !waiting().includes(a.requestId));
  effect(() => {
    if (gone() && !untracked(over)) untracked(() => d.end());
  });
  const head = h(
    "div",
    { class: "approval-head" },
    h("h2", null, h("span", { class: "mono" }, visible(a.name)), a.by ? ` of the subagent ${visible(a.by)}` : "", () => !over() && " wants your approval"),
    a.effect === "write" && h("span", { class: "chip" }, "write"),
    h("span", { class: "grow" }),
    () => !over() && a.expiresAt && expiry(a.expiresAt),
    () => others(more(), over(), next),
  );
  // Who decided by keyboard goes on from the button that comes next.
  effect(() => {
    if (over() && foot.contains(document.activeElement)) head.querySelector<HTMLElement>(".approval-next")?.focus();
  });
  return [
    head,
    h("pre", { tabindex: "0", "aria-label": "Arguments, as they are stored and will be run" }, visible(a.args || "no arguments")),
    foot,
  ];
}

// decide is the line with the buttons. They belong to this call and this request alone.
function decide(d: Decision, over: () => boolean): HTMLElement {
  const { callId, requestId } = d.asked, faulty = () => d.state().is === "faulty";
  const reason = h("input", { hidden: over, type: "text", placeholder: "reason (optional)", "aria-label": "Reason", maxlength: "500" }) as HTMLInputElement;
  const says = h("span", { class: () => cls("approval-says", faulty() && "bad-text"), role: "status", tabindex: "-1" }, () => visible(d.state().text));
  const take = (decision: "approve" | "deny") => {
    if (foot.contains(document.activeElement)) says.focus(); // a disabled button would lose it
    void d.take(decision, reason.value.trim());
  };
  const button = (decision: "approve" | "deny", word: string, kind: string) =>
    h("button", { type: "button", class: kind, hidden: over, disabled: () => d.state().is !== "ready", "data-call": callId, "data-request": requestId, onclick: () => take(decision) }, word);
  const foot = h(
    "div",
    { class: "approval-foot" },
    reason,
    says,
    h("button", { type: "button", hidden: () => !faulty(), onclick: () => d.again() }, "Check again"),
    button("deny", "Deny", "bad"),
    button("approve", "Approve", "main"),
  );
  return foot;
}

function others(n: number, over: boolean, next: () => void): Child {
  if (over) return h("button", { type: "button", class: "approval-next", onclick: next }, n > 0 ? "Next approval" : "Close");
  return n > 0 && h("span", { class: "chip warn" }, `${n} more wait${n === 1 ? "s" : ""}`);
}

function expiry(expiresAt: string): HTMLElement {
  const at = Date.parse(expiresAt), left = signal(at - Date.now());
  const timer = setInterval(() => left.set(at - Date.now()), 1000);
  cleanup(() => clearInterval(timer));
  const far = (ms: number) => (ms > 86_400_000 ? new Date(at).toLocaleString() : ms > 3_600_000 ? `in ${Math.floor(ms / 3_600_000)} h ${Math.floor((ms % 3_600_000) / 60_000)} min` : ms < 60_000 ? `in ${Math.floor(ms / 1000)} s` : `in ${duration(Math.floor(ms / 1000) * 1000)}`);
  return h("span", { class: "dim small num", title: expiresAt }, () => (left() > 0 ? `expires ${far(left())}` : "expires now"));
}
