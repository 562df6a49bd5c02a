// The lines of a log as they are kept here: the newest ones, over starts of the host.
import { pretty, visible } from "../../format.js";

export interface Line {
  n: number;
  at: string;
  level: string;
  message: string;
  fields: Record<string, unknown>;
}

/** A line, or without one the place where the host was started again. */
export interface Entry {
  key: string;
  line?: Line;
}

const most = 5000;

export class Lines {
  entries: Entry[] = [];
  /** What to ask after. */
  next = 0;
  /** How many lines the host had and did not keep until they were asked for. */
  missed = 0;
  private made = 0;

  /** Takes an answer; false where it has nothing new. */
  add(lines: Line[], next: number): boolean {
    if (lines.length === 0) return false;
    const again = this.entries.length > 0 && (lines[0].n <= this.next || next < this.next);
    if (again) this.push();
    this.missed += Math.max(0, lines[0].n - 1 - (again ? 0 : this.next));
    for (const line of lines) this.push(line);
    this.next = next;
    this.entries = this.entries.slice(-most);
    return true;
  }

  private push(line?: Line): void {
    this.entries.push({ key: String(++this.made), line });
  }
}

const ranks = ["trace", "debug", "info", "warn", "error", "fatal", "panic"];

/** Whether a line is of a level or above it, and has the words; a level that nobody knows
 *  is always shown. */
export function fits(e: Entry, level: string, words: string): boolean {
  const w = words.trim().toLowerCase();
  if (!e.line) return w === "";
  const rank = ranks.indexOf(e.line.level);
  if (level !== "" && rank >= 0 && rank < ranks.indexOf(level)) return false;
  return w === "" || `${e.line.level} ${e.line.message} ${JSON.stringify(e.line.fields)}`.toLowerCase().includes(w);
}

export const tone = (level: string): string => (level === "error" || level === "fatal" || level === "panic" ? "bad" : level === "warn" ? "warn" : "");

const long = 200, mostFields = 20;
/** The fields as they stand behind the message. */
export function fields(l: Line): [string, string][] {
  return Object.entries(l.fields ?? {}).slice(0, mostFields).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return [visible(name), visible((text.length > long ? text.slice(0, long) + " …" : text).replace(/\s+/g, " "))];
  });
}

/** The whole line, for reading. */
export const whole = (e: Entry): string => (e.line ? [visible(e.line.message), ...Object.entries(e.line.fields ?? {}).map(([name, value]) => `${visible(name)}: ${pretty(value)}`)].join("\n") : "");
