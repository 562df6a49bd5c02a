// Writes the tables under js/locales out of what a Node with full ICU data says:
// node record.mjs ../../js/locales
import { writeFileSync } from "node:fs";

const locales = { en: ["en", "en-US"], "en-GB": ["en-GB"], de: ["de", "de-DE"], fr: ["fr", "fr-FR"], es: ["es", "es-ES"], it: ["it", "it-IT"], nl: ["nl", "nl-NL"], pl: ["pl", "pl-PL"], pt: ["pt", "pt-BR"], ru: ["ru", "ru-RU"], uk: ["uk", "uk-UA"], tr: ["tr", "tr-TR"], zh: ["zh", "zh-CN", "zh-Hans", "zh-Hans-CN"], ja: ["ja", "ja-JP"], ko: ["ko", "ko-KR"] };
const currencies = "USD EUR GBP JPY CNY INR BRL RUB UAH PLN TRY KRW CHF CAD AUD MXN SEK NOK DKK CZK HUF ILS AED ZAR NZD SGD HKD TWD THB VND IDR PHP NGN ARS CLP COP".split(" ");
const months = Array.from({ length: 12 }, (_, i) => new Date(Date.UTC(2005, i, 4, 3, 4, 5)));
const days = Array.from({ length: 7 }, (_, i) => new Date(Date.UTC(2005, 4, 1 + i, 3, 4, 5))); // a Sunday first
const reference = new Date(Date.UTC(2005, 2, 4, 3, 4, 5));
const tidy = (s) => s.replaceAll("\u202f", " ");

const dates = (tag, options) => new Intl.DateTimeFormat(tag, { timeZone: "UTC", calendar: "gregory", numberingSystem: "latn", ...options });
const part = (tag, options, date, type) => dates(tag, options).formatToParts(date).find((p) => p.type === type)?.value;
const quote = (s) => (/[A-Za-z']/.test(s) ? "'" + s.replaceAll("'", "''") + "'" : s);

function names(tag) {
  const of = (type, list, more) => Object.fromEntries(["long", "short", "narrow"].map((style) => [style, list.map((d) => part(tag, { [type]: style, ...(style === "narrow" ? {} : more) }, d, type))]));
  const M = of("month", months, { day: "numeric" }), L = of("month", months, {}), E = of("weekday", days, { day: "numeric", month: "long" }), c = of("weekday", days, {});
  return { M, L, E, c, a: [3, 15].map((h) => part(tag, { hour: "numeric", hour12: true }, new Date(Date.UTC(2005, 2, 4, h)), "dayPeriod")) };
}

// letter says which list of names a pattern takes: with a day, or alone.
function letter(tag, options, type, style, known) {
  const [inside, alone, list] = type === "month" ? ["M", "L", months] : ["E", "c", days];
  return list.every((d, i) => part(tag, options, d, type) === known[inside][style][i]) ? inside : alone;
}

function pattern(tag, options, known) {
  const out = [];
  for (const { type, value } of dates(tag, options).formatToParts(reference)) {
    const padded = /^0/.test(value), text = !/^\d+$/.test(value);
    const style = { month: options.month ?? styles[options.dateStyle]?.month ?? "long", weekday: options.weekday ?? "long" };
    switch (type) {
      case "literal": out.push(quote(tidy(value))); break;
      case "year": out.push(value.length === 2 ? "yy" : "y"); break;
      case "day": out.push(padded ? "dd" : "d"); break;
      case "month": {
        if (!text) { out.push(padded ? "MM" : "M"); break; }
        const long = known.M.long.includes(value) || known.L.long.includes(value), short = known.M.short.includes(value) || known.L.short.includes(value);
        const s = style.month === "short" || !long ? (short ? "short" : "long") : style.month === "long" || !short ? "long" : style.month;
        out.push(letter(tag, options, "month", s, known).repeat(s === "long" ? 4 : 3));
        break;
      }
      case "weekday": {
        const s = [style.weekday, "long", "short"].find((s) => known.E[s].includes(value) || known.c[s].includes(value));
        out.push(letter(tag, options, "weekday", s, known).repeat(s === "long" ? 4 : 3));
        break;
      }
      case "hour": out.push((dates(tag, options).resolvedOptions().hour12 ? "h" : "H").repeat(padded ? 2 : 1)); break;
      case "minute": out.push(padded ? "mm" : "m"); break;
      case "second": out.push(padded ? "ss" : "s"); break;
      case "dayPeriod": out.push("a"); break;
      case "timeZoneName": out.push("z"); break;
      default: throw new Error(`${tag}: ${type} in ${JSON.stringify(options)}`);
    }
  }
  return out.join("");
}
const styles = { full: { month: "long" }, long: { month: "long" }, medium: { month: "short" }, short: { month: "numeric" } };

const short = { undefined: "", numeric: "1", "2-digit": "2", short: "s", long: "l" };
function datePatterns(tag, known) {
  const out = {};
  for (const weekday of [undefined, "short", "long"]) for (const year of [undefined, "numeric", "2-digit"]) for (const month of [undefined, "numeric", "2-digit", "short", "long"]) for (const day of [undefined, "numeric", "2-digit"]) {
    const options = Object.fromEntries(Object.entries({ weekday, year, month, day }).filter(([, v]) => v));
    if (Object.keys(options).length) out[[weekday, year, month, day].map((x) => short[x]).join("|")] = pattern(tag, options, known);
  }
  return out;
}

function timePatterns(tag, known) {
  const out = {};
  for (const hour of [undefined, "numeric", "2-digit"]) for (const minute of [undefined, "2-digit"]) for (const second of [undefined, "2-digit"]) for (const hour12 of hour ? [true, false] : [undefined]) {
    if (!hour && !minute && !second || hour && second && !minute) continue;
    const options = Object.fromEntries(Object.entries({ hour, minute, second, hour12 }).filter(([, v]) => v !== undefined));
    out[`${short[hour]}${minute ? "m" : ""}${second ? "s" : ""}${hour12 ? "a" : ""}`] = pattern(tag, options, known);
  }
  return out;
}

// join is what stands between a date and a time.
function join(tag, date, time) {
  const both = tidy(dates(tag, { ...date, ...time }).format(reference)), d = tidy(dates(tag, date).format(reference)), t = tidy(dates(tag, time).format(reference));
  if (!both.startsWith(d) || !both.endsWith(t)) throw new Error(`${tag}: ${both} is not ${d} and ${t}`);
  return both.slice(d.length, both.length - t.length);
}

function stylesOf(tag, known) {
  const all = ["full", "long", "medium", "short"];
  return {
    date: Object.fromEntries(all.map((s) => [s, pattern(tag, { dateStyle: s }, known)])), time: Object.fromEntries(all.map((s) => [s, pattern(tag, { timeStyle: s }, known)])),
    join: Object.fromEntries(all.map((s) => [s, join(tag, { dateStyle: s }, { timeStyle: "short" })])),
    joinFields: Object.fromEntries([["numeric", "1"], ["short", "s"], ["long", "l"]].map(([month, key]) => [key, join(tag, { year: "numeric", month, day: "numeric" }, { hour: "numeric", minute: "2-digit" })])),
  };
}

const numbers = (tag, options) => new Intl.NumberFormat(tag, { numberingSystem: "latn", ...options });
// affixes gives what stands around the digits: "¤#", "-# ¤", "(¤#)".
function affixes(tag, options, n) {
  let out = "", digits = false;
  for (const { type, value } of numbers(tag, { ...options, maximumFractionDigits: 0 }).formatToParts(n)) {
    if (type === "integer") { if (!digits) out += "#"; digits = true; }
    else out += { currency: "¤", minusSign: "-", percentSign: "%", compact: "" }[type] ?? value.replaceAll("‎", "");
  }
  return out;
}

function numberData(tag) {
  const parts = Object.fromEntries(numbers(tag).formatToParts(1234567.8).map((p) => [p.type, p.value]));
  const money = { style: "currency", currency: "USD" };
  const symbols = {};
  for (const c of currencies) {
    const of = (currencyDisplay) => numbers(tag, { style: "currency", currency: c, currencyDisplay }).formatToParts(1).find((p) => p.type === "currency").value;
    const symbol = of("symbol"), narrow = of("narrowSymbol");
    if (symbol !== c || narrow !== c) symbols[c] = symbol === narrow ? symbol : [symbol, narrow];
  }
  return {
    decimal: parts.decimal, group: parts.group, minGroup: numbers(tag).format(1234).length === 4 ? 2 : 1, minus: numbers(tag).formatToParts(-1).find((p) => p.type === "minusSign").value.replaceAll("‎", ""),
    percent: [affixes(tag, { style: "percent" }, 0.01), affixes(tag, { style: "percent" }, -0.01)],
    currency: [affixes(tag, money, 1), affixes(tag, money, -1)], accounting: [affixes(tag, { ...money, currencySign: "accounting" }, 1), affixes(tag, { ...money, currencySign: "accounting" }, -1)],
    code: [affixes(tag, { ...money, currencyDisplay: "code" }, 1), affixes(tag, { ...money, currencyDisplay: "code" }, -1)],
    nan: numbers(tag).format(NaN), exponent: numbers(tag, { notation: "scientific" }).formatToParts(1e9).find((p) => p.type === "exponentSeparator").value,
    symbols, compact: { short: compact(tag, "short"), long: compact(tag, "long") },
  };
}

// compact has, for each power of ten from 3, the digits before the rest and the texts by plural form.
function compact(tag, compactDisplay) {
  const rules = new Intl.PluralRules(tag), out = [], f = numbers(tag, { notation: "compact", compactDisplay });
  for (let e = 3; e <= 14; e++) {
    // A word alone, such as mille, stands for one of them.
    const digits = f.formatToParts(2 * 10 ** e).filter((p) => p.type === "integer").map((p) => p.value).join("").length, row = { digits }, least = 10 ** (digits - 1);
    for (const m of [...Array.from({ length: 25 }, (_, i) => least + i).filter((m) => m < least * 10), ...(digits === 1 ? [1.5] : [])]) {
      const parts = f.formatToParts(m * 10 ** (e - digits + 1)), integer = parts.filter((p) => p.type === "integer").map((p) => p.value).join("");
      const text = parts.map((p) => (p.type === "integer" ? "#" : ["group", "decimal", "fraction"].includes(p.type) ? "" : p.value)).join("").replace(/#+/, "#");
      const shown = Number(integer + (parts.some((p) => p.type === "fraction") ? ".5" : ""));
      row[rules.select(integer === "" ? m : shown)] ??= text;
    }
    out.push(row);
  }
  return out;
}

function lists(tag) {
  const out = {};
  for (const type of ["conjunction", "disjunction", "unit"]) for (const style of ["long", "short", "narrow"]) {
    const f = new Intl.ListFormat(tag, { type, style }), between = (list, i) => f.formatToParts(list).filter((p) => p.type === "literal").map((p) => p.value)[i];
    const four = ["1", "2", "3", "4"];
    out[`${type[0]}${style[0]}`] = [between(["1", "2"], 0), between(four, 0), between(four, 1), between(four, 2)].map((x) => x ?? "");
  }
  return out;
}

function relative(tag) {
  const rules = new Intl.PluralRules(tag), out = {};
  for (const style of ["long", "short", "narrow"]) for (const unit of ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]) {
    const f = new Intl.RelativeTimeFormat(tag, { style }), auto = new Intl.RelativeTimeFormat(tag, { style, numeric: "auto" }), row = { f: {}, p: {}, auto: {} };
    for (const n of [1, 2, 3, 5, 11, 1.5]) for (const [key, sign] of [["f", 1], ["p", -1]]) {
      row[key][rules.select(n)] ??= f.formatToParts(sign * n, unit).map((p) => (["integer", "decimal", "fraction"].includes(p.type) ? "#" : p.value)).join("").replace(/#+/, "#");
    }
    for (const n of [-2, -1, 0, 1, 2]) {
      const text = auto.format(n, unit);
      if (!/\d/.test(text)) row.auto[n] = text;
    }
    out[unit + (style === "long" ? "" : "-" + style)] = row;
  }
  for (const key of Object.keys(out)) for (const from of [key.replace(/-.*/, ""), key.replace("narrow", "short")]) if (from !== key && typeof out[from] === "object" && JSON.stringify(out[from]) === JSON.stringify(out[key])) out[key] = from;
  return out;
}

for (const [tag, aliases] of Object.entries(locales)) {
  const known = names(tag), hour12 = dates(tag, { hour: "numeric" }).resolvedOptions().hour12;
  if (JSON.stringify(known.M) === JSON.stringify(known.L)) delete known.L;
  const full = { ...known, L: known.L ?? known.M };
  const data = { tag, aliases, hour12, gmt: part(tag, { hour: "numeric", timeZone: "Asia/Kolkata", timeZoneName: "shortOffset" }, reference, "timeZoneName").replace(/[+-].*/, ""), names: known, dates: datePatterns(tag, full), times: timePatterns(tag, full), styles: stylesOf(tag, full), numbers: numberData(tag), lists: lists(tag), relative: relative(tag) };
  const lines = Object.entries(data).map(([k, v]) => `${JSON.stringify(k)}: ${JSON.stringify(v)}`);
  writeFileSync(`${process.argv[2]}/${tag}.json`, `{\n${lines.join(",\n")}\n}\n`);
}
