// What Intl says in words: plural forms, lists, and times from now; and how it
// compares texts. Go has the rules of plurals and of order for all languages.
import { sync } from "../bridge.js";
import { localeOf, oneOf, supported } from "./locale.js";

const categories = ["zero", "one", "two", "few", "many", "other"];

const million = (i, v) => i !== 0 && i % 1e6 === 0 && v === 0;
const oneAlone = (i, v) => (i === 1 && v === 0 ? "one" : "other");
const romance = (one) => (i, v, n) => (one(i, v, n) ? "one" : million(i, v) ? "many" : "other");
const slavic = (one) => (i, v) => {
  if (v !== 0) return "other";
  if (one(i)) return "one";
  return i % 10 >= 2 && i % 10 <= 4 && !(i % 100 >= 12 && i % 100 <= 14) ? "few" : "many";
};
const russian = slavic((i) => i % 10 === 1 && i % 100 !== 11);
const none = () => "other";
// cardinals and ordinals are the rules of the languages that have tables: of the
// whole part, the number of digits behind the point, and the number.
const cardinals = {
  en: oneAlone, de: oneAlone, nl: oneAlone, it: romance((i, v) => i === 1 && v === 0), fr: romance((i) => i < 2), pt: romance((i) => i < 2), es: romance((_, __, n) => n === 1),
  pl: slavic((i) => i === 1), ru: russian, uk: russian, tr: (_, __, n) => (n === 1 ? "one" : "other"), zh: none, ja: none, ko: none,
};
const ordinals = {
  en: (i) => (i % 100 >= 11 && i % 100 <= 13 ? "other" : { 1: "one", 2: "two", 3: "few" }[i % 10] ?? "other"), fr: (i) => (i === 1 ? "one" : "other"),
  it: (i) => ([8, 11, 80, 800].includes(i) ? "many" : "other"), uk: (i) => (i % 10 === 3 && i % 100 !== 13 ? "few" : "other"),
  de: none, nl: none, pt: none, es: none, pl: none, ru: none, tr: none, zh: none, ja: none, ko: none,
};

// pluralOf gives the plural form of a number, as it is written.
export function pluralOf(locale, n, ordinal = false) {
  const [whole, fraction = ""] = String(n).replace(/^-/, "").split(".");
  if (!/^\d+$/.test(whole)) return "other";
  const rule = (ordinal ? ordinals : cardinals)[locale.split("-")[0]];
  if (rule) return rule(Number(whole), fraction.length, Math.abs(Number(n)));
  const bare = fraction.replace(/0+$/, "");
  return sync("intl.plural", locale, ordinal, Number(whole), fraction.length, bare.length, Number(fraction || 0), Number(bare || 0));
}

export function compare(a, b, locale, options) {
  if (a === b) return 0;
  return sync("intl.compare", a, b, locale, options?.sensitivity ?? "variant", Boolean(options?.numeric));
}

export function makeWords(base, canonical) {
  // A language's rules are there whether it has a table or not; root is for none.
  const languageOf = (locales) => sync("intl.language", JSON.stringify(canonical(locales)));
  const known = (locales) => canonical(locales).filter((tag) => sync("intl.language", JSON.stringify([tag])) !== "en-US" || /^en\b/.test(tag));

  class Collator {
    #options;
    constructor(locales, options) {
      const locale = languageOf(locales), extension = /-u-(?:.*-)?kn(-false)?\b/.exec(String([locales].flat()[0] ?? ""));
      this.#options = {
        locale, usage: oneOf(options, "usage", ["sort", "search"], "sort"), sensitivity: oneOf(options, "sensitivity", ["base", "accent", "case", "variant"], "variant"),
        ignorePunctuation: false, collation: "default", numeric: options?.numeric === undefined ? Boolean(extension && !extension[1]) : Boolean(options.numeric), caseFirst: "false",
      };
      if (options?.ignorePunctuation || (options?.caseFirst ?? "false") !== "false") throw new RangeError("Intl.Collator has no ignorePunctuation and no caseFirst in this runtime: sort by a changed copy of the text");
    }
    get compare() { return (a, b) => compare(String(a), String(b), this.#options.locale, this.#options); }
    resolvedOptions() { return { ...this.#options }; }
    static supportedLocalesOf(locales) { return known(locales); }
  }

  class PluralRules {
    #locale;
    #type;
    #format;
    constructor(locales, options) {
      this.#locale = languageOf(locales);
      this.#type = oneOf(options, "type", ["cardinal", "ordinal"], "cardinal");
      const digits = ["minimumFractionDigits", "maximumFractionDigits", "minimumSignificantDigits", "maximumSignificantDigits", "minimumIntegerDigits"].filter((k) => options?.[k] !== undefined);
      this.#format = new base.NumberFormat("en-US", { useGrouping: false, ...Object.fromEntries(digits.map((k) => [k, options[k]])) });
    }
    select(n) {
      n = Number(n);
      if (!Number.isFinite(n)) return "other";
      return pluralOf(this.#locale, this.#format.format(Math.abs(n)), this.#type === "ordinal");
    }
    resolvedOptions() {
      const { minimumIntegerDigits, minimumFractionDigits, maximumFractionDigits } = this.#format.resolvedOptions();
      const sample = [0, 1, 2, 3, 5, 6, 11, 21, 42, 100, 103, 1000000, "0.5", "1.5"].map((n) => pluralOf(this.#locale, n, this.#type === "ordinal"));
      return { locale: this.#locale, type: this.#type, minimumIntegerDigits, minimumFractionDigits, maximumFractionDigits, pluralCategories: categories.filter((c) => sample.includes(c)) };
    }
    static supportedLocalesOf(locales) { return known(locales); }
  }

  class ListFormat {
    #match;
    #type;
    #style;
    constructor(locales, options) {
      this.#match = localeOf(canonical(locales));
      this.#type = oneOf(options, "type", ["conjunction", "disjunction", "unit"], "conjunction");
      this.#style = oneOf(options, "style", ["long", "short", "narrow"], "long");
    }
    formatToParts(list) {
      const items = [...list], [pair, start, middle, end] = this.#match.data.lists[this.#type[0] + this.#style[0]];
      for (const item of items) if (typeof item !== "string") throw new TypeError("Iterable yielded " + String(item) + " which is not a string");
      const literal = (i) => (items.length === 2 ? pair : i === items.length - 2 ? end : i === 0 ? start : middle);
      return items.flatMap((value, i) => [{ type: "element", value }, ...(i < items.length - 1 && literal(i) ? [{ type: "literal", value: literal(i) }] : [])]);
    }
    format(list) { return this.formatToParts(list).map((p) => p.value).join(""); }
    resolvedOptions() { return { locale: this.#match.locale, type: this.#type, style: this.#style }; }
    static supportedLocalesOf(locales) { return supported(canonical(locales)); }
  }

  const units = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

  class RelativeTimeFormat {
    #match;
    #style;
    #numeric;
    #numbers;
    constructor(locales, options) {
      this.#match = localeOf(canonical(locales));
      this.#style = oneOf(options, "style", ["long", "short", "narrow"], "long");
      this.#numeric = oneOf(options, "numeric", ["always", "auto"], "always");
      this.#numbers = new globalThis.Intl.NumberFormat(this.#match.locale);
    }
    formatToParts(value, unit) {
      const n = Number(value), name = String(unit).replace(/s$/, "");
      if (!units.includes(name)) throw new RangeError(`Invalid unit argument for format() '${unit}'`);
      if (!Number.isFinite(n)) throw new RangeError("The number value of RelativeTimeFormat must be finite");
      const { relative } = this.#match.data;
      let row = relative[name + (this.#style === "long" ? "" : "-" + this.#style)];
      while (typeof row === "string") row = relative[row];
      if (this.#numeric === "auto" && row.auto[n] !== undefined) return [{ type: "literal", value: row.auto[n] }];
      const past = n < 0 || Object.is(n, -0), side = past ? row.p : row.f, text = side[pluralOf(this.#match.table, Math.abs(n))] ?? side.other;
      const [before, after] = text.split("#"), digits = text.includes("#") ? this.#numbers.formatToParts(Math.abs(n)).map((p) => ({ ...p, unit: name })) : [];
      return [{ type: "literal", value: before }, ...digits, { type: "literal", value: after ?? "" }].filter((p) => p.value !== "");
    }
    format(value, unit) { return this.formatToParts(value, unit).map((p) => p.value).join(""); }
    resolvedOptions() { return { locale: this.#match.locale, style: this.#style, numeric: this.#numeric, numberingSystem: "latn" }; }
    static supportedLocalesOf(locales) { return supported(canonical(locales)); }
  }

  return { Collator, PluralRules, ListFormat, RelativeTimeFormat };
}
