// Intl.Segmenter for what a reader takes for one character (grapheme), by the rules of Unicode's UAX #29.
// Words and sentences need the dictionaries of a language, which the runtime has not: they are refused.
const before = String.raw`[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u0D4E\u{110BD}\u{110CD}\u{111C2}\u{111C3}]`;
const apart = String.raw`(?!${before}|[\u200C\u200D\u{E0020}-\u{E007F}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`;
const joined = String.raw`(?![\u102B\u102C\u1038\u1062-\u1064\u1067-\u106D\u1083\u1087-\u108C\u108F\u109A-\u109C\u1A61\u1A63\u1A64\uAA7B\uAA7D])[\p{M}\p{EMod}\u0E33\u0EB3\u200C\u200D\uFF9E\uFF9F\u{E0020}-\u{E007F}]`;
const emoji = String.raw`\p{ExtPict}(?:[\p{M}\p{EMod}\u200C\u{E0020}-\u{E007F}]*\u200D\p{ExtPict})*`;
const lead = String.raw`[\u1100-\u115F\uA960-\uA97C]`, vowel = String.raw`[\u1160-\u11A7\uD7B0-\uD7C6]`, tail = String.raw`[\u11A8-\u11FF\uD7CB-\uD7FB]`;
const hangul = `${lead}*(?:[\\uAC00-\\uD7A3]${vowel}*|${vowel}+)${tail}*|${lead}+|${tail}+`;
const cluster = () => new RegExp(`\r\n|${apart}|${before}*(?:\\p{RI}{2}|${emoji}|${hangul}|(?!${apart})[^])(?:${joined})*|${before}+`, "gu");

export function makeSegments(canonical, language) {
  class Segments {
    #text;
    constructor(text) { this.#text = text; }
    *[Symbol.iterator]() {
      for (const m of this.#text.matchAll(cluster())) yield { segment: m[0], index: m.index, input: this.#text };
    }
    containing(at = 0) {
      const i = Math.trunc(Number(at)) || 0;
      for (const s of this) if (i >= s.index && i < s.index + s.segment.length) return s;
    }
  }
  class Segmenter {
    #locale;
    constructor(locales, options = {}) {
      const granularity = String(options.granularity ?? "grapheme");
      if (granularity !== "grapheme") throw new RangeError(`Intl.Segmenter knows the granularity "grapheme" here, not "${granularity}"`);
      this.#locale = language(locales);
    }
    segment(text) {
      void this.#locale;
      return new Segments(String(text));
    }
    resolvedOptions() { return { locale: this.#locale, granularity: "grapheme" }; }
    static supportedLocalesOf(locales) { return canonical(locales); }
  }
  return Segmenter;
}
