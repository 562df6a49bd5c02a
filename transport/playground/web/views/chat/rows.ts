// A session as one list of rows, for a window that shows a part of it.
import type { Call, Item, Session, Turn } from "../../session.js";

export type Row =
  | { key: string; kind: "message"; turn: Turn }
  | { key: string; kind: "item"; item: Item; depth: number }
  | { key: string; kind: "end"; turn: Turn };

/** The key under which a call is unfolded. */
export const callKey = (c: Call): string => `call ${c.id}`;

/** Rows in the order of the log; the work of a subagent follows its call where that is unfolded. */
export function rows(s: Session, unfolded: (key: string, otherwise?: boolean) => boolean): Row[] {
  const out: Row[] = [];
  let loose = 0;
  for (const turn of s.turns) {
    while (loose < s.loose.length && s.loose[loose].index < turn.index) items(out, [s.loose[loose++]], 0, unfolded);
    out.push({ key: `message ${turn.index}`, kind: "message", turn });
    items(out, turn.items, 0, unfolded);
    if (turn.status !== "queued") out.push({ key: `end ${turn.index}`, kind: "end", turn });
  }
  items(out, s.loose.slice(loose), 0, unfolded);
  return out;
}

function items(out: Row[], list: Item[], depth: number, unfolded: (key: string, otherwise?: boolean) => boolean): void {
  for (const item of list) {
    if (item.kind === "step" && item.attempt === 1 && !item.repair) continue;
    if ((item.kind === "text" || item.kind === "reasoning") && item.text === "") continue;
    const key = item.kind === "call" ? callKey(item) : `${item.kind} ${item.index}`;
    out.push({ key, kind: "item", item, depth });
    if (item.kind === "call" && item.items.length > 0 && unfolded(key)) items(out, item.items, depth + 1, unfolded);
  }
}

/** How many steps and calls a list of items has; those of subagents count where they lie. */
export function work(list: Item[]): { steps: number; calls: number } {
  let steps = 0, calls = 0;
  for (const x of list) {
    if (x.kind === "step") steps = Math.max(steps, x.step);
    if (x.kind === "call") calls++;
  }
  return { steps, calls };
}
