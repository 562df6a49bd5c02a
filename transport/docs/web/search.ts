// The search: every word of what is asked must be in a section, or in the title above it. A
// page that is called as what is asked comes first.
export interface Section { id: string; heading: string; text: string }
export interface Entry { page: string; title: string; label: string; area: string; sections: Section[] }
export interface Hit { page: string; id: string; title: string; heading: string; excerpt: string; score: number }

const fold = (s: string) => s.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
const split = (s: string) => fold(s).split(/[^\p{L}\p{N}_]+/u).filter(Boolean);

/** Gives the best sections for a query, at most one for the top of each page. */
export function search(entries: Entry[], query: string, most = 12): Hit[] {
  const words = split(query);
  if (words.length === 0) return [];
  const hits: Hit[] = [], asked = words.join(" ");
  for (const e of entries) {
    const title = split(e.title), called = [e.title, e.label, e.page].some((name) => split(name).join(" ") === asked);
    for (const s of e.sections) {
      const score = called && s.id === "" ? 100 : rate(title, s, words);
      if (score > 0) hits.push({ page: e.page, id: s.id, title: e.title, heading: s.id === "" ? "" : s.heading, excerpt: excerpt(s.text, words), score });
    }
  }
  return hits.sort((a, b) => b.score - a.score).slice(0, most);
}

function rate(title: string[], s: Section, words: string[]): number {
  const heading = s.id === "" ? [] : split(s.heading), text = fold(s.text);
  let score = 0;
  for (const w of words) {
    const at = place(title, w) * (s.id === "" ? 12 : 1) + place(heading, w) * 6 + (text.includes(w) ? 1 : 0);
    if (at === 0) return 0;
    score += at;
  }
  if (heading.join(" ") === words.join(" ")) score += 40;
  return score / words.length;
}

// A whole word counts twice as much as the beginning of one.
function place(list: string[], word: string): number {
  return list.includes(word) ? 2 : list.some((x) => x.startsWith(word)) ? 1 : 0;
}

function excerpt(text: string, words: string[]): string {
  const folded = fold(text), found = words.map((w) => folded.indexOf(w)).filter((i) => i >= 0);
  const from = Math.max(0, (found.length ? Math.min(...found) : 0) - 40);
  const begin = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const part = text.slice(begin, begin + 140);
  return (begin > 0 ? "… " : "") + part + (begin + 140 < text.length ? " …" : "");
}
