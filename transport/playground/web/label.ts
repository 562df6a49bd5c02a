// How people know a session: what it is called, and how its status reads. Every list and
// heading takes these.
import { isolated, visible } from "./format.js";
import { table } from "./table.js";

interface Named {
  id: string;
  title?: string;
  lastMessage?: string;
}

const line = (text = ""): string => text.replace(/\s+/g, " ").trim();

// What Markdown puts around words is left out of a name.
const plain = (text = ""): string => text.replace(/^\s*(#{1,6}|>|[-*+])\s+/gm, "").replace(/\*\*|`+/g, "");

/** A session's title; without one, what was said last in it; before that, its id. */
export const label = (s: Named): string => isolated(line(s.title) || line(plain(s.lastMessage)) || s.id);

/** The title of a session that people begin with a message here: the message, in a line. */
export function titleOf(message: string): string {
  const all = [...line(message)];
  return all.length > 80 ? all.slice(0, 79).join("") + "…" : all.join("");
}

/** How a session stands, in a word and its tone. One that waits for the next message after
 *  its turn failed is no more idle than one that failed. */
export function standing(s: { status: string; lastError?: string }): { word: string; tone: string } {
  if (s.status === "waiting" && s.lastError) return { word: "turn failed", tone: "bad" };
  return { word: statusWords[s.status] ?? visible(s.status), tone: tones[s.status] ?? "" };
}

/** How people call a session's status. */
export const statusWords = table<string>({ running: "running", parked: "needs you", waiting: "idle", completed: "completed", failed: "failed" });
/** The tone of a status, for its chip. */
const tones = table<string>({ running: "accent", parked: "warn", waiting: "", completed: "good", failed: "bad" });
