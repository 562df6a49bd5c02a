// Rows under the days on which they were last worked on.
import { ago } from "../../format.js";

export interface OnDay<T> {
  row: T;
  /** The name of the day, at the first row of it; else empty. */
  day: string;
}

const midnight = (at: string | number): number => new Date(at).setHours(0, 0, 0, 0);

/** How many days ago it was, where the reader is: 0 is today. */
const daysAgo = (at: string | number, now: number): number => Math.round((midnight(now) - midnight(at)) / 86_400_000);

/** Such as Today, Yesterday, Friday, Nov 27, and Nov 20, 2025. */
export function dayName(at: string | number, now: number): string {
  const days = daysAgo(at, now), d = new Date(at);
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days < 7) return d.toLocaleDateString(undefined, { weekday: "long", month: "short", day: "numeric" });
  return d.toLocaleDateString(undefined, { month: "short", day: "numeric", year: d.getFullYear() === new Date(now).getFullYear() ? undefined : "numeric" });
}

export function byDays<T extends { updatedAt: string }>(rows: readonly T[], now: number): OnDay<T>[] {
  let last = "";
  return rows.map((row) => {
    const day = dayName(row.updatedAt, now), first = day !== last;
    last = day;
    return { row, day: first ? day : "" };
  });
}

/** When it was, for a row that stands under its day. */
export const timeOfDay = (at: string, now: number): string => (daysAgo(at, now) <= 0 ? ago(at, now) : new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" }));
