// Words as the search compares them.

const fold = (s: string) => s.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");

/** The words of a text, small and without accents. */
export const split = (s: string) => fold(s).split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

/** Takes the ending off an English word, so that "approve", "approvals" and "approved" are one. */
export function stem(word: string): string {
  if (word.length < 5 || /[_\d]/.test(word)) return word.length === 4 ? word.replace(/([^s])s$/, "$1") : word;
  let w = word.replace(/([^s])s$/, "$1").replace(/ies?$/, "y");
  const bare = w.replace(/(?:ing|ed|al)$/, "");
  if (bare.length > 2 && bare !== w) w = bare.replace(/([bdgmnprt])\1$/, "$1");
  return w.length > 4 ? w.replace(/e$/, "") : w;
}

/** What people write around what they look for. */
const around = new Set("a an and are at be by can do does for from get have how i if in into is it its me my of on or should so that the their them then there this to use what when where which who why will with you your".split(" "));

/** The words that a question is about. */
export function asked(query: string): string[] {
  const all = split(query), words = all.filter((w) => !around.has(w));
  return words.length > 0 ? words : all;
}

/** How many letters must be changed, left out, put in or swapped; more than most is Infinity. */
function apart(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return Infinity;
  let before: number[] = [], last = [...Array(b.length + 1).keys()];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length] <= most ? last[b.length] : Infinity;
}

/** The word that was meant by one that is in no text: the nearest, of several the most used. */
export function meant(word: string, known: Map<string, number>): string {
  let best = word, distance = word.length < 4 ? 0 : word.length < 8 ? 1.5 : 2.5, used = 0;
  for (const [other, n] of known) {
    const d = apart(word, other, Math.floor(distance));
    if (d < distance || (d === distance && n > used)) [best, distance, used] = [other, d, n];
  }
  return best;
}
