// The search: the sections that have most of what is asked, those first in whose title or
// heading it stands. A page that is called as what is asked comes before all.
import { asked, meant, split, stem } from "./words.js";

export interface Section { id: string; heading: string; text: string; also?: string; code?: string }
export interface Entry { page: string; title: string; label: string; area: string; reference?: boolean; sections: Section[] }
export interface Hit { page: string; id: string; title: string; heading: string; excerpt: string; score: number }
/** What was found; instead is what was searched for in the place of words that are nowhere. */
export interface Found { hits: Hit[]; instead: string; stems: string[] }

type Counts = Map<string, number>;
/** How often each stem is there, and all words after spaces. */
interface Bag { counts: Counts; words: string }
interface Place { entry: Entry; section: Section; title: Bag; heading: Bag; text: Bag; also: Bag; code: Bag; names: string[]; called: string }
interface Index { places: Place[]; known: Counts; stems: Set<string> }

const most = 12, mostOfPage = 3;

/** Gives the best sections for a query. */
export function search(entries: Entry[], query: string): Found {
  const { places, known, stems } = indexOf(entries);
  const isKnown = (w: string) => known.has(w) || stems.has(stem(w)) || [...known.keys()].some((k) => k.startsWith(w));
  const words = asked(query), found = words.map((w) => (isKnown(w) ? w : meant(w, known)));
  const instead = found.join(" ") === words.join(" ") ? "" : found.join(" ");
  return { hits: rank(places, found, split(instead || query).join(" "), query.toLowerCase()), instead, stems: found.map(stem) };
}

function rank(places: Place[], words: string[], phrase: string, asked: string): Hit[] {
  if (words.length === 0) return [];
  const stems = words.map(stem), rated = places.map((p) => stems.map((s, i) => rate(p, s, i === stems.length - 1 ? words[i] : "")));
  const weights = stems.map((_, i) => Math.log(1 + places.length / (1 + rated.filter((r) => r[i] > 0).length))), whole = weights.reduce((a, b) => a + b, 0);
  const hits: { place: Place; score: number }[] = [], ofPage: Counts = new Map();
  places.forEach((place, at) => {
    let score = 0, covered = 0;
    rated[at].forEach((r, i) => { score += r * weights[i]; if (r > 0) covered += weights[i]; });
    if (score === 0 || covered <= whole / 3) return;
    score *= (covered / whole) ** 2 * (place.entry.reference ? 0.5 : 1) * (place.called === stems.join(" ") || ` ${place.section.also} `.includes(` ${asked} `) ? 2 : 1);
    hits.push({ place, score: score + (place.names.includes(phrase) ? 1000 : 0) });
  });
  return hits.sort((a, b) => b.score - a.score).filter((x) => add(ofPage, x.place.entry.page) <= mostOfPage).slice(0, most).map(({ place: { entry: e, section: s }, score }) => (
    { page: e.page, id: s.id, title: e.title, heading: s.id === "" ? "" : s.heading, excerpt: excerpt(s.text, stems), score }));
}

// A page's title counts for its beginning; how often a word stands in a text counts less
// and less, and less in a long one. typed is a word that may be half written.
function rate(p: Place, stemmed: string, typed: string): number {
  const top = p.section.id === "";
  const all = (bag: Bag, part: number) => bag.counts.get(stemmed) ?? (typed.length > 1 && bag.words.includes(` ${typed}`) ? part : 0);
  const once = (bag: Bag, part: number) => Math.min(1, all(bag, part)), often = all(p.text, 0.4);
  return once(p.title, 0.6) * (top ? 14 : 2) + once(p.heading, 0.6) * (top ? 0 : 8) + once(p.also, 0.6) * 9 + (4 * often) / (often + 0.8 + p.section.text.length / 900) + once(p.code, 0.3) * 0.8;
}

const indexes = new WeakMap<Entry[], Index>();

function indexOf(entries: Entry[]): Index {
  const before = indexes.get(entries);
  if (before) return before;
  const known: Counts = new Map();
  const count = (text: string): Bag => {
    const counts: Counts = new Map(), words = split(text);
    for (const w of words) add(known, w), add(counts, stem(w));
    return { counts, words: ` ${words.join(" ")}` };
  };
  const places = entries.flatMap((entry) => entry.sections.map((section): Place => {
    const top = section.id === "", names = [entry.title, entry.label, entry.page].map((name) => split(name).join(" "));
    return {
      entry, section, title: count(`${entry.title} ${entry.label} ${entry.page}`), heading: count(section.heading), text: count(section.text), also: count(section.also ?? ""), code: count(section.code ?? ""),
      names: top ? names : [], called: top ? "" : split(section.heading).map(stem).join(" "),
    };
  }));
  const index = { places, known, stems: new Set([...known.keys()].map(stem)) };
  indexes.set(entries, index);
  return index;
}

function add(counts: Counts, key: string): number {
  const n = (counts.get(key) ?? 0) + 1;
  counts.set(key, n);
  return n;
}

function excerpt(text: string, stems: string[]): string {
  const small = text.toLowerCase(), found = stems.map((w) => small.indexOf(w)).filter((i) => i >= 0);
  const from = Math.max(0, (found.length ? Math.min(...found) : 0) - 40);
  const begin = from === 0 ? 0 : text.indexOf(" ", from) + 1;
  const part = text.slice(begin, begin + 140);
  return (begin > 0 ? "… " : "") + part + (begin + 140 < text.length ? " …" : "");
}
