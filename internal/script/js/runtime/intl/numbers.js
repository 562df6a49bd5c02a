// Intl.NumberFormat: the add-on computes the digits, as for English; the tables
// say how another locale writes them.
import { localeOf, oneOf, supported } from "./locale.js";

const digitParts = new Set(["integer", "group", "decimal", "fraction", "exponentSeparator", "exponentMinusSign", "exponentInteger", "nan", "infinity"]);

export function makeNumbers(base, canonical, pluralOf) {
  const Base = base.NumberFormat;

  // A Local writes numbers by the table of a locale.
  class Local {
    constructor(match, options) {
      this.match = match;
      this.inner = new Base("en-US", options); // checks the options
      this.resolved = this.inner.resolvedOptions();
      this.numbers = match.data.numbers;
    }

    get compact() { return this.resolved.notation === "compact"; }

    parts(value) {
      const all = this.inner.formatToParts(value), sign = all.find((p) => p.type === "minusSign" || p.type === "plusSign");
      // Accounting writes a negative amount without a sign.
      const negative = sign?.type === "minusSign" || all.some((p) => p.type === "literal" && p.value.includes("("));
      const { digits, text } = this.compact ? this.#compact(value) : { digits: all.filter((p) => digitParts.has(p.type)), text: "#" };
      return this.#around(this.#digits(digits), text, negative, sign?.type === "plusSign");
    }

    // #digits gives digits their separators.
    #digits(parts) {
      const { decimal, group, minGroup } = this.numbers, whole = parts.filter((p) => p.type === "integer").reduce((n, p) => n + p.value.length, 0);
      const grouped = this.resolved.useGrouping !== "auto" || whole >= 3 + minGroup, out = [];
      for (const p of parts) {
        const last = out[out.length - 1];
        if (p.type === "group") { if (grouped) out.push({ type: "group", value: group }); }
        else if (p.type === "decimal") out.push({ type: "decimal", value: decimal });
        else if (p.type === "nan" || p.type === "exponentSeparator") out.push({ type: p.type, value: p.type === "nan" ? this.numbers.nan : this.numbers.exponent });
        else if (p.type === "integer" && last?.type === "integer") last.value += p.value;
        else out.push({ ...p });
      }
      return out;
    }

    // #compact scales a number by its power of ten, as the locale counts.
    #compact(value) {
      const r = this.resolved, rows = this.numbers.compact[r.compactDisplay], n = Math.abs(Number(value));
      let e = n >= 1000 && Number.isFinite(n) ? Math.min(Math.floor(Math.log10(n)), 14) : 0;
      if (e && 10 ** (e + 1) <= n) e++;
      for (; ; e++) {
        const row = e < 3 ? undefined : rows[e - 3], scale = row ? 10 ** (e - row.digits + 1) : 1;
        const digits = this.#rounded(n / scale);
        const size = digits.filter((p) => p.type === "integer").reduce((s, p) => s + p.value.length, 0);
        if (row && e < 14 && size > row.digits && rows[e - 2].digits <= row.digits) continue; // it was rounded up to the next power
        const category = pluralOf(this.match.table, Number(digits.map((p) => (p.type === "decimal" ? "." : p.type === "group" ? "" : p.value)).join("")));
        return { digits, text: row ? row[category] ?? row.other ?? row.many ?? "#" : "#" };
      }
    }

    #rounded(n) {
      const { minimumFractionDigits: least, maximumFractionDigits: most, minimumSignificantDigits, maximumSignificantDigits, roundingMode } = this.resolved;
      const own = this.given ? { minimumFractionDigits: least, maximumFractionDigits: most, minimumSignificantDigits, maximumSignificantDigits } : n < 100 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 0 };
      const options = { roundingMode, useGrouping: "min2", ...Object.fromEntries(Object.entries(own).filter(([, v]) => v !== undefined)) };
      return new Base("en-US", options).formatToParts(n).filter((p) => digitParts.has(p.type));
    }

    #around(digits, text, negative, plus) {
      const r = this.resolved, n = this.numbers;
      let pattern = negative ? "-#" : "#";
      if (r.style === "percent") pattern = n.percent[Number(negative)];
      if (r.style === "currency") pattern = (r.currencySign === "accounting" ? n.accounting : r.currencyDisplay === "code" || this.#symbol().length === 3 && /^[A-Z]+$/.test(this.#symbol()) ? n.code : n.currency)[Number(negative)];
      if (plus) pattern = "+" + pattern;
      const out = [];
      const add = (type, value) => {
        if (value === "") return;
        if (type === "literal" && out[out.length - 1]?.type === "literal") out[out.length - 1].value += value;
        else out.push({ type, value });
      };
      for (const c of pattern) {
        if (c === "#") this.#inside(digits, text, add, out);
        else if (c === "¤") add("currency", this.#symbol());
        else if (c === "-") add("minusSign", n.minus);
        else if (c === "+") add("plusSign", "+");
        else if (c === "%") add("percentSign", "%");
        else add("literal", c);
      }
      return out;
    }

    // #inside writes the digits, and the word that stands for thousands of them.
    #inside(digits, text, add, out) {
      const [before, after] = text.includes("#") ? text.split("#") : [text];
      const word = (s) => { for (const [m, space] of s.matchAll(/([\s\u00a0]+)|[^\s\u00a0]+/g)) add(space ? "literal" : "compact", m); };
      word(before);
      if (after === undefined) return; // a word alone, such as mille
      for (const p of digits) out.push(p);
      word(after);
    }

    #symbol() {
      const { currency, currencyDisplay } = this.resolved, known = this.numbers.symbols[currency];
      if (currencyDisplay === "code" || currencyDisplay === "name" || known === undefined) return currency;
      return Array.isArray(known) ? known[currencyDisplay === "narrowSymbol" ? 1 : 0] : known;
    }

    resolvedOptions() { return { ...this.resolved, locale: this.match.locale }; }
  }

  const locals = new WeakMap();
  const held = (f) => {
    const own = locals.get(f);
    if (!own) throw new TypeError("Intl.NumberFormat.prototype method called on an incompatible receiver");
    return own;
  };
  const valueOf = (v) => (typeof v === "bigint" || typeof v === "string" ? String(v) : Number(v));

  function NumberFormat(locales, options) {
    if (!(this instanceof NumberFormat)) return new NumberFormat(locales, options);
    const match = localeOf(canonical(locales));
    // The names of units are known in English alone: who asks for one gets English, and is told.
    const english = match.table === "en" || oneOf(options, "style", ["decimal", "percent", "currency", "unit"]) === "unit";
    const own = english ? new Base("en-US", options) : new Local(match, options);
    if (!english) own.given = ["minimumFractionDigits", "maximumFractionDigits", "minimumSignificantDigits", "maximumSignificantDigits"].some((k) => options?.[k] !== undefined);
    locals.set(this, own);
  }
  const write = (own, v) => (own instanceof Base ? own.format(v) : own.parts(v).map((p) => p.value).join(""));
  Object.defineProperties(NumberFormat.prototype, {
    format: { get() { return (v) => write(held(this), valueOf(v)); }, configurable: true },
    formatToParts: { value(v) {
      const own = held(this);
      return own instanceof Base ? own.formatToParts(valueOf(v)) : own.parts(valueOf(v));
    }, writable: true, configurable: true },
    resolvedOptions: { value() {
      return held(this).resolvedOptions();
    }, writable: true, configurable: true },
    [Symbol.toStringTag]: { value: "Intl.NumberFormat", configurable: true },
  });
  NumberFormat.supportedLocalesOf = (locales) => supported(canonical(locales));
  const local = (valueIn) => function (locales, options) { return new NumberFormat(locales, options).format(valueIn.call(this)); };
  return { NumberFormat, numberLocal: local(Number.prototype.valueOf), bigintLocal: local(BigInt.prototype.valueOf) };
}
