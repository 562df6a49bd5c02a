// Intl comes when it is first asked for. What it writes is the same on every
// machine: its tables and rules are the runtime's, and en-US stands in where it
// has none.
import { sync } from "./bridge.js";
import { makeDates } from "./intl/dates.js";
import { makeNumbers } from "./intl/numbers.js";
import { makeSegments } from "./intl/segments.js";
import { compare, makeWords, pluralOf } from "./intl/words.js";

// install puts the add-on's Intl behind ours.
function install() {
  for (const [prototype, name, before] of lazies) define(prototype, name, before);
  Object.defineProperty(globalThis, "Intl", { value: undefined, writable: true, configurable: true, enumerable: false });
  sync("intl.install");
  const base = globalThis.Intl, canonical = (locales) => base.getCanonicalLocales(locales);
  const dates = makeDates(base, canonical), numbers = makeNumbers(base, canonical, pluralOf), words = makeWords(base, canonical);
  const Intl = {};
  for (const [name, value] of Object.entries({ DateTimeFormat: dates.DateTimeFormat, NumberFormat: numbers.NumberFormat, ...words, Segmenter: makeSegments(canonical, languageOf) })) {
    Object.defineProperty(value, "name", { value: name });
    if (!Object.hasOwn(value.prototype, Symbol.toStringTag)) Object.defineProperty(value.prototype, Symbol.toStringTag, { value: "Intl." + name, configurable: true });
    define(Intl, name, value);
  }
  define(Intl, "getCanonicalLocales", canonical);
  define(Intl, "supportedValuesOf", supportedValuesOf);
  Object.defineProperty(Intl, Symbol.toStringTag, { value: "Intl", configurable: true });
  for (const name of ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]) define(Date.prototype, name, dates[name]);
  define(Number.prototype, "toLocaleString", numbers.numberLocal);
  define(BigInt.prototype, "toLocaleString", numbers.bigintLocal);
  define(Array.prototype, "toLocaleString", function (locales, options) {
    return Array.from(this, (x) => (x === null || x === undefined ? "" : String(x.toLocaleString(locales, options)))).join(",");
  });
  Object.defineProperty(globalThis, "Intl", { value: Intl, writable: true, configurable: true, enumerable: false });
  return Intl;
}

const languageOf = (locales) => (locales === undefined ? "en-US" : sync("intl.language", JSON.stringify([locales].flat().map(String))));
const define = (object, name, value) => Object.defineProperty(object, name, { value, writable: true, configurable: true });

function supportedValuesOf(key) {
  const lists = { calendar: ["gregory"], numberingSystem: ["latn"], collation: ["default"] };
  if (!Object.hasOwn(lists, key)) throw new RangeError(`Intl.supportedValuesOf knows ${Object.keys(lists).join(", ")} here, not ${key}`);
  return lists[key];
}

Object.defineProperty(globalThis, "Intl", {
  get: install,
  set(value) { Object.defineProperty(globalThis, "Intl", { value, writable: true, configurable: true }); },
  configurable: true,
});

// The methods that Intl defines anew install it when they are called.
const lazies = [];
for (const [prototype, names] of [[Date.prototype, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]], [Array.prototype, ["toLocaleString"]], [Number.prototype, ["toLocaleString"]], [BigInt.prototype, ["toLocaleString"]]]) {
  for (const name of names) {
    lazies.push([prototype, name, prototype[name]]);
    define(prototype, name, function (...args) {
      void globalThis.Intl;
      return prototype[name].apply(this, args);
    });
  }
}

define(String.prototype, "localeCompare", function localeCompare(that, locales, options) {
  return compare(String(this), String(that), languageOf(locales), options);
});

// Turkish, Azerbaijani and Lithuanian have letters of their own.
for (const name of ["toLocaleUpperCase", "toLocaleLowerCase"]) {
  const plain = String.prototype[name === "toLocaleUpperCase" ? "toUpperCase" : "toLowerCase"];
  define(String.prototype, name, function (locales) {
    const tag = String([locales].flat()[0] ?? "");
    return /^(tr|az|lt)\b/i.test(tag) ? sync("intl.case", String(this), tag, name === "toLocaleUpperCase") : plain.call(this);
  });
}
