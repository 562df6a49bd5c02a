// What is said of spans, and how they are found by it. Nothing here touches the page.
import { type Kind, type Span, standing } from "./spans.js";
import { table } from "../../table.js";

const kinds: Record<Kind, string> = { turn: "turn", step: "model step", reasoning: "reasoning", text: "reply", tool: "tool", sub: "subagent", wait: "waiting", mark: "event" };
export const states = table<string>({ open: "running", waiting: "waiting", failed: "failed", cancelled: "stopped", denied: "denied", lost: "lost" });

export const kindOf = (s: Span): string => kinds[s.kind];
export const stateOf = (s: Span): string => states[standing(s)] ?? "done";

/** What a row says of a span besides its name: of one that went wrong, why. */
export function note(s: Span): string {
  const f = s.facts;
  if (f.error && !s.children.some((c) => c.facts.error === f.error)) return f.error; // said where it went wrong alone
  if (s.kind === "text" || s.kind === "reasoning") return f.text ?? "";
  if (s.kind === "sub") return f.task ?? "";
  if (s.kind === "tool") return f.args === undefined ? "" : brief(f.args);
  if (s.kind === "wait") return f.decision ? [decisions[f.decision] ?? f.decision, f.by && `by ${f.by}`].filter(Boolean).join(" ") : "waits for a person";
  if (s.kind === "turn") return [f.from && f.from !== "user" && `from ${f.from}`, s.copied && "copied by the fork"].filter(Boolean).join(", ");
  return s.kind === "step" ? ofStep(s) : "";
}

const decisions = table<string>({ approve: "approved", deny: "denied" });
const top = (s: Span): Span => (s.inside ? top(s.inside) : s);

/** What is odd about a step, and what its model said. */
function ofStep(s: Span): string {
  const f = s.facts, said = s.children.findLast((c) => c.kind === "text") ?? s.children.findLast((c) => c.kind === "reasoning");
  const odd = [f.repair && "mends its reply", f.finish === "length" || f.finish === "content-filter" ? f.finish : "", top(s).facts.model === f.model ? "" : f.model].filter(Boolean).join(", ");
  return [said?.facts.text, odd].filter(Boolean).join(" · ");
}

/** Arguments in a line: values alone where they say enough. */
function brief(args: unknown): string {
  if (typeof args !== "object" || args === null) return String(args);
  const values = Object.values(args);
  return values.length === 1 && typeof values[0] === "string" ? values[0] : values.length === 0 ? "" : Object.entries(args).map(([k, v]) => `${k}: ${typeof v === "string" ? v : JSON.stringify(v)}`).join(", ");
}

/** The spans of which each word is said, and what they lie in. */
export function sift(roots: readonly Span[], words: string): { shown: ReadonlySet<Span>; found: number } {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean), shown = new Set<Span>();
  let found = 0;
  const walk = (s: Span): boolean => {
    const text = [kindOf(s), stateOf(s), s.facts.stubbed ? "stubbed" : "", s.name, note(s), s.facts.args === undefined ? "" : brief(s.facts.args), s.facts.error ?? "", s.facts.code ?? ""].join("\n").toLowerCase();
    const fits = wanted.every((w) => text.includes(w));
    if (fits) found++;
    const inside = s.children.filter(walk).length > 0; // each of them is looked at
    if (fits || inside) shown.add(s);
    return fits || inside;
  };
  roots.forEach(walk);
  return { shown, found };
}
