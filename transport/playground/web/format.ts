// How numbers, times and JSON read.
export interface Usage {
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens?: number;
}

export interface Cost {
  totalUsd: number;
  model?: string;
}

export function duration(ms: number): string {
  if (ms < 0 || !isFinite(ms)) return "";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const m = Math.floor(ms / 60_000), h = Math.floor(m / 60);
  if (h >= 48) return `${Math.floor(h / 24)} d ${h % 24} h`;
  return h > 0 ? `${h} h ${m % 60} min` : `${m} min ${Math.floor((ms % 60_000) / 1000)} s`;
}

let compact: Intl.NumberFormat | undefined; // it is made when it is first needed
export const count = (n: number): string => (n < 10_000 ? n.toLocaleString("en") : (compact ??= new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })).format(n));

/** Such as "1 case" and "1,200 cases". */
export const plural = (n: number, one: string): string => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

export const tokens = (u?: Usage): number => (u ? u.inputTokens + u.cacheReadTokens + u.cacheWriteTokens + u.outputTokens : 0);

/** The sum of two uses. */
export function plus(a: Usage | undefined, b: Usage): Usage {
  return {
    inputTokens: (a?.inputTokens ?? 0) + b.inputTokens,
    cacheReadTokens: (a?.cacheReadTokens ?? 0) + b.cacheReadTokens,
    cacheWriteTokens: (a?.cacheWriteTokens ?? 0) + b.cacheWriteTokens,
    outputTokens: (a?.outputTokens ?? 0) + b.outputTokens,
    reasoningTokens: (a?.reasoningTokens ?? 0) + (b.reasoningTokens ?? 0),
  };
}

export function money(usd?: number | null): string {
  if (usd === undefined || usd === null) return "";
  if (usd === 0) return "$0";
  return usd < 0.01 ? `$${usd.toPrecision(2)}` : `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}

export const clock = (at: string | number): string => new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** The time where the reader is, to the millisecond. */
export function exact(at: string): string {
  const d = new Date(at), two = (n: number) => String(n).padStart(2, "0");
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}.${String(d.getMilliseconds()).padStart(3, "0")}`;
}

export function ago(at: string | number, now = Date.now()): string {
  const s = Math.round((now - new Date(at).getTime()) / 1000);
  if (s < 60) return "just now";
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`;
  return new Date(at).toLocaleDateString(undefined, { day: "numeric", month: "short", year: "numeric" });
}

/** JSON for people. Characters that could mislead (bidirectional, invisible) are shown as escapes. */
export const pretty = (x: unknown): string => visible(x === undefined ? "" : typeof x === "string" ? x : JSON.stringify(x, null, 2));

// What has no shape of its own: controls, marks of direction, joiners, fillers, variations and
// tags. The variation that makes a sign a picture stays behind the sign.
const hidden = /(?!(?<=[\p{Extended_Pictographic}\d#*])\ufe0f)[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;
export const visible = (text: string): string => text.replace(hidden, escaped);
const escaped = (c: string): string => `\\u{${c.codePointAt(0)!.toString(16)}}`;

// Characters that turn the direction of what follows them; joiners and marks stay, which
// scripts and emoji need.
const turning = /[\u202a-\u202e\u2066-\u2069]/g;
/** A text of a model or a person: nothing in it can turn what stands around it. */
export const isolated = (text: string): string => text.replace(turning, escaped);
