// Intl comes when it is first asked for. Dates and numbers are written as in
// en-US whatever the locale; comparing follows the locale.
import { sync } from "./bridge.js";

function install() {
  Object.defineProperty(globalThis, "Intl", { value: undefined, writable: true, configurable: true, enumerable: false });
  for (const [prototype, names] of redefined) for (const name of names) prototype[name] = originals.get(prototype[name]) ?? prototype[name];
  sync("intl.install");
  Object.assign(globalThis.Intl, { Collator, PluralRules, ListFormat });
  return globalThis.Intl;
}

Object.defineProperty(globalThis, "Intl", {
  get: install,
  set(value) { Object.defineProperty(globalThis, "Intl", { value, writable: true, configurable: true }); },
  configurable: true,
});

// The methods that Intl defines anew install it when they are called.
const redefined = [
  [Date.prototype, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]],
  [Number.prototype, ["toLocaleString"]],
  [BigInt.prototype, ["toLocaleString"]],
];
const originals = new Map();
for (const [prototype, names] of redefined) {
  for (const name of names) {
    const lazy = function (...args) {
      void globalThis.Intl;
      return prototype[name].apply(this, args);
    };
    originals.set(lazy, prototype[name]);
    Object.defineProperty(prototype, name, { value: lazy, writable: true, configurable: true });
  }
}

const localeOf = (locales) => String((Array.isArray(locales) ? locales[0] : locales) ?? "en-US");

class Collator {
  #locale;
  #options;
  constructor(locales, options = {}) {
    this.#locale = localeOf(locales);
    this.#options = { usage: "sort", sensitivity: "variant", numeric: false, ...options };
    this.compare = (a, b) => compare(String(a), String(b), this.#locale, this.#options);
  }
  resolvedOptions() { return { locale: this.#locale, ...this.#options, ignorePunctuation: false, collation: "default", caseFirst: "false" }; }
  static supportedLocalesOf(locales) { return [locales].flat(); }
}

const compare = (a, b, locale, options) => (a === b ? 0 : sync("intl.compare", a, b, locale, options?.sensitivity ?? "variant", Boolean(options?.numeric)));

Object.defineProperty(String.prototype, "localeCompare", {
  value: function localeCompare(that, locales, options) { return compare(String(this), String(that), localeOf(locales), options); },
  writable: true, configurable: true,
});

class PluralRules {
  #locale;
  #type;
  constructor(locales, options = {}) {
    this.#locale = localeOf(locales);
    this.#type = options.type ?? "cardinal";
  }
  select(n) {
    const [whole, fraction = ""] = String(Math.abs(n)).split(".");
    const bare = fraction.replace(/0+$/, "");
    return sync("intl.plural", this.#locale, this.#type === "ordinal", Number(whole), fraction.length, bare.length, Number(fraction || 0), Number(bare || 0));
  }
  resolvedOptions() { return { locale: this.#locale, type: this.#type }; }
}

class ListFormat {
  #word;
  constructor(_, options = {}) { this.#word = options.type === "unit" ? "" : options.type === "disjunction" ? "or " : "and "; }
  format(list) {
    const items = [...list];
    if (items.length < 2) return items.join("");
    if (items.length === 2 && this.#word) return `${items[0]} ${this.#word}${items[1]}`;
    return `${items.slice(0, -1).join(", ")}, ${this.#word}${items.at(-1)}`;
  }
}
