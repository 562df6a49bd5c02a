/** How long it is until an instant. */
export function until(at: string, now: number, words: (ms: number) => string): string {
  const left = Date.parse(at) - now;
  if (left <= 0) return "now";
  return left < 60_000 ? "within a minute" : `in ${words(Math.ceil(left / 60_000) * 60_000).replace(/ 0 (s|min|h)$/, "")}`;
}
