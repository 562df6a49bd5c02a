// Which locales there are, and which of them answers for a request.
import { sync } from "../bridge.js";

// aliases are the tags that mean one table of js/locales.
const aliases = {
  en: "en", "en-US": "en", "en-GB": "en-GB", de: "de", "de-DE": "de", fr: "fr", "fr-FR": "fr", es: "es", "es-ES": "es", it: "it", "it-IT": "it", nl: "nl", "nl-NL": "nl",
  pl: "pl", "pl-PL": "pl", pt: "pt", "pt-BR": "pt", ru: "ru", "ru-RU": "ru", uk: "uk", "uk-UA": "uk", tr: "tr", "tr-TR": "tr",
  zh: "zh", "zh-CN": "zh", "zh-Hans": "zh", "zh-Hans-CN": "zh", ja: "ja", "ja-JP": "ja", ko: "ko", "ko-KR": "ko",
};
// british write English as in en-GB.
const british = new Set(["AU", "GB", "IE", "IN", "NZ", "SG", "ZA"]);

export const fallback = "en-US";
const tables = new Map();

function tableOf(name) {
  if (!tables.has(name)) tables.set(name, JSON.parse(sync("intl.data", name)));
  return tables.get(name);
}

// matchOf gives the locale that answers for a canonical tag, undefined for none. A
// tag whose region has no table of its own falls back to its language, and says so.
function matchOf(tag) {
  const [base, extension = ""] = tag.split(/-u-/), hc = /(?:^|-)hc-(h1[12]|h2[34])/.exec(extension)?.[1];
  if (Object.hasOwn(aliases, base)) return { locale: base, table: aliases[base], hc };
  const [language, ...rest] = base.split("-"), region = rest.find((s) => /^([A-Z]{2}|\d{3})$/.test(s));
  if (language === "zh" && (rest.includes("Hant") || ["TW", "HK", "MO"].includes(region))) return undefined;
  if (language === "en" && british.has(region)) return { locale: "en-GB", table: "en-GB", hc };
  return Object.hasOwn(aliases, language) ? { locale: language === "en" ? fallback : language, table: aliases[language], hc } : undefined;
}

// localeOf is the first of the requested locales that there is, else en-US.
export function localeOf(canonical) {
  for (const tag of canonical) {
    const m = matchOf(tag);
    if (m) return { ...m, get data() { return tableOf(m.table); } };
  }
  return { locale: fallback, table: "en", get data() { return tableOf("en"); } };
}

export const supported = (canonical) => canonical.filter((tag) => matchOf(tag));

// oneOf reads an option that is one of a few words.
export function oneOf(options, name, words, usual) {
  const given = options?.[name];
  if (given === undefined) return usual;
  if (!words.includes(String(given))) throw new RangeError(`Value ${given} out of range for Intl options property ${name}`);
  return String(given);
}
