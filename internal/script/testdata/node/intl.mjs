// Expressions over Intl, and in intl.json what Node says of them; record.mjs records it.
const D = new Date(Date.UTC(2026, 2, 7, 15, 4, 9, 87)), D2 = new Date(Date.UTC(2026, 10, 21, 0, 30, 0));
const L = ["en-US", "en-GB", "de", "fr", "es", "it", "nl", "pl", "pt-BR", "ru", "uk", "tr", "zh-CN", "ja", "ko"];
const each = (f) => () => L.map((l) => f(l));
const dtf = (l, o, d = D) => new Intl.DateTimeFormat(l, { timeZone: "UTC", ...o }).format(d).replaceAll(" ", " ");
const items = {
  plain: each((l) => dtf(l)),
  plain2: each((l) => dtf(l, {}, D2)),
  zone: each((l) => dtf(l, { timeZone: "Asia/Tokyo", dateStyle: "short", timeStyle: "short" })),
  ...Object.fromEntries(["full", "long", "medium", "short"].flatMap((s) => [["date-" + s, each((l) => dtf(l, { dateStyle: s }))], ["time-" + s, each((l) => dtf(l, { timeStyle: s }).replace(/Coordinated Universal Time|Koordinierte Weltzeit|temps universel coordonné|tiempo universal coordinado|Tempo coordinato universale|[Gg]ecoördineerde wereldtijd|uniwersalny czas koordynowany|Horário Universal Coordenado|Всемирное координированное время|за всесвітнім координованим часом|Eş Güdümlü Evrensel Zaman|协调世界时|協定世界時|협정 세계시/, "UTC"))], ["both-" + s, each((l) => dtf(l, { dateStyle: s, timeStyle: "short" }))]])),
  fields: each((l) => dtf(l, { weekday: "long", year: "numeric", month: "long", day: "numeric" })),
  fields2: each((l) => dtf(l, { weekday: "short", month: "short", day: "numeric" })),
  fields3: each((l) => dtf(l, { year: "numeric", month: "long" })),
  fields4: each((l) => dtf(l, { month: "long" })),
  fields5: each((l) => dtf(l, { weekday: "long" })),
  fields6: each((l) => dtf(l, { hour: "numeric" })),
  fields7: each((l) => dtf(l, { hour: "2-digit", minute: "2-digit" })),
  fields8: each((l) => dtf(l, { hour: "numeric", minute: "2-digit", second: "2-digit", hour12: true })),
  fields9: each((l) => dtf(l, { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" })),
  fields10: each((l) => dtf(l, { year: "2-digit", month: "numeric", day: "numeric" })),
  fields11: each((l) => dtf(l, { minute: "2-digit", second: "2-digit" })),
  fields12: each((l) => dtf(l, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" })),
  fields13: each((l) => dtf(l, { weekday: "narrow" })),
  fields14: each((l) => dtf(l, { hour: "numeric", hourCycle: "h23" }, D2)),
  fields16: each((l) => dtf(l, { day: "numeric" })),
  fields17: each((l) => dtf(l, { year: "numeric" })),
  fields18: each((l) => dtf(l, { month: "long", day: "numeric" }, D2)),
  frac: each((l) => dtf(l, { second: "numeric", fractionalSecondDigits: 2 })),
  off: each((l) => dtf(l, { hour: "numeric", minute: "2-digit", timeZone: "Asia/Kolkata", timeZoneName: "shortOffset" })),
  parts: each((l) => new Intl.DateTimeFormat(l, { timeZone: "UTC", dateStyle: "long", timeStyle: "short" }).formatToParts(D).map((p) => [p.type, p.value.replaceAll(" ", " ")])),
  toLocale: each((l) => [D.toLocaleString(l, { timeZone: "UTC" }), D.toLocaleDateString(l, { timeZone: "UTC" }), D.toLocaleTimeString(l, { timeZone: "UTC" }), D.toLocaleDateString(l, { timeZone: "UTC", month: "short", day: "numeric" })].map((s) => s.replaceAll(" ", " "))),
  resolved: each((l) => {
    const r = new Intl.DateTimeFormat(l, { timeZone: "UTC", hour: "numeric" }).resolvedOptions();
    return [r.locale, r.hourCycle, r.hour12, r.timeZone];
  }),
  num: each((l) => [1234.5, 1234567891e-3, 0, -5.25, 999, 12345, 1e21, NaN, -Infinity].map((n) => new Intl.NumberFormat(l).format(n))),
  pct: each((l) => [0.256, 1, -0.05, 12.5].map((n) => new Intl.NumberFormat(l, { style: "percent", maximumFractionDigits: 1 }).format(n))),
  cur: each((l) => ["USD", "EUR", "JPY", "BRL", "CHF", "XYZ"].flatMap((currency) => [1234.5, -1, 0.999].map((n) => new Intl.NumberFormat(l, { style: "currency", currency }).format(n)))),
  curdisp: each((l) => ["symbol", "narrowSymbol", "code"].map((currencyDisplay) => new Intl.NumberFormat(l, { style: "currency", currency: "CAD", currencyDisplay }).format(12.3))),
  acc: each((l) => new Intl.NumberFormat(l, { style: "currency", currency: "EUR", currencySign: "accounting" }).format(-12.3)),
  compact: each((l) => [999, 1e3, 1234, 12345, 99999, 123456, 999999, 15e5, 2e6, 5e6, 25e6, 1e9, 345e8, 1e12, 123, 0.5].map((n) => new Intl.NumberFormat(l, { notation: "compact" }).format(n))),
  compactLong: each((l) => [1e3, 2e3, 5e3, 15e5, 1e6, 2e6, 5e6, 3e9].map((n) => new Intl.NumberFormat(l, { notation: "compact", compactDisplay: "long" }).format(n))),
  signs: each((l) => [new Intl.NumberFormat(l, { signDisplay: "always" }).format(5), new Intl.NumberFormat(l, { signDisplay: "exceptZero" }).format(-5), new Intl.NumberFormat(l, { signDisplay: "never" }).format(-5), new Intl.NumberFormat(l, { style: "percent", signDisplay: "always" }).format(0.1), new Intl.NumberFormat(l, { useGrouping: false }).format(12345.6), new Intl.NumberFormat(l, { minimumFractionDigits: 2 }).format(3), new Intl.NumberFormat(l, { maximumSignificantDigits: 3 }).format(123456), new Intl.NumberFormat(l, { notation: "scientific" }).format(12345)]),
  numparts: each((l) => new Intl.NumberFormat(l, { style: "currency", currency: "EUR" }).formatToParts(-12345675e-1).map((p) => [p.type, p.value])),
  numLocale: each((l) => [1234.5.toLocaleString(l), 12345678901234567890n.toLocaleString(l), [1234.5, 2].toLocaleString(l)]),
  numresolved: each((l) => new Intl.NumberFormat(l, { style: "currency", currency: "EUR" }).resolvedOptions().locale),
  list: each((l) => [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"], []].flatMap((x) => ["conjunction", "disjunction", "unit"].map((type) => new Intl.ListFormat(l, { type }).format(x)))),
  listShort: each((l) => ["short", "narrow"].map((style) => new Intl.ListFormat(l, { style, type: "unit" }).format(["a", "b", "c"]))),
  rel: each((l) => [[-1, "day"], [1, "day"], [2, "day"], [0, "day"], [-3, "month"], [5, "hours"], [1.5, "year"], [-0, "second"], [21, "minute"], [-1e3, "week"]].flatMap(([n, u]) => ["always", "auto"].map((numeric) => new Intl.RelativeTimeFormat(l, { numeric }).format(n, u)))),
  relShort: each((l) => ["short", "narrow"].map((style) => new Intl.RelativeTimeFormat(l, { style }).format(-3, "month"))),
  plural: each((l) => [0, 1, 2, 3, 5, 11, 21, 1.5, 1e6].map((n) => new Intl.PluralRules(l).select(n))),
  ordinal: each((l) => [1, 2, 3, 4, 11, 21, 22, 23].map((n) => new Intl.PluralRules(l, { type: "ordinal" }).select(n))),
  pluralOpts: each((l) => [new Intl.PluralRules(l, { minimumFractionDigits: 1 }).select(1), new Intl.PluralRules(l).resolvedOptions().pluralCategories.slice().sort()]),
  coll: () => [["de", ["z", "ä", "a", "Z", "ö"]], ["sv", ["z", "ä", "a"]], ["en", ["résumé", "resume", "Resume", "b", "a"]], ["es", ["ñ", "n", "o"]], ["cs", ["ch", "h", "i", "c"]]].map(([l, x]) => x.sort(new Intl.Collator(l).compare)),
  coll2: () => ["a".localeCompare("A", "en", { sensitivity: "base" }), "a".localeCompare("á", "en", { sensitivity: "base" }), "a".localeCompare("á", "en", { sensitivity: "accent" }) !== 0, "a".localeCompare("A", "en", { sensitivity: "accent" }), "a".localeCompare("A", "en", { sensitivity: "case" }) !== 0, ["a10", "a9", "a1"].sort(new Intl.Collator("en", { numeric: true }).compare), ["a10", "a9"].sort(new Intl.Collator("en-u-kn-true").compare), "a".localeCompare("b"), "b".localeCompare("a"), "a".localeCompare("a")],
  caseTr: () => ["istanbul".toLocaleUpperCase("tr"), "ISTANBUL".toLocaleLowerCase("tr"), "straße".toLocaleUpperCase("de"), "İ".toLocaleLowerCase("en")],
  norm: () => ["é".normalize("NFD").length, "é".normalize("NFC").length, "ﬁ".normalize("NFKC"), "①".normalize("NFKD")],
  canon: () => [Intl.getCanonicalLocales("EN-us"), Intl.getCanonicalLocales(["de-de", "fr"]), (() => {
    try {
      Intl.getCanonicalLocales("x_y");
    } catch (e) {
      return e.name;
    }
  })(), Intl.DateTimeFormat.supportedLocalesOf(["de-DE", "xx-YY", "en-US"]), Intl.NumberFormat.supportedLocalesOf("fr"), typeof Intl.DateTimeFormat(), typeof Intl.NumberFormat()],
  errors: () => ["new Intl.DateTimeFormat('en', { timeZone: 'Nope/Zone' })", "new Intl.NumberFormat('de', { style: 'currency' })", "new Intl.DateTimeFormat('de', { month: 'x' })", "new Intl.NumberFormat('de', { style: 'x' })", "new Intl.PluralRules('de', { type: 'x' })", "new Intl.ListFormat('de', { type: 'x' })", "new Intl.DateTimeFormat('de').format(NaN)", "new Intl.RelativeTimeFormat('de').format(1, 'x')"].map((c) => {
    try {
      (0, eval)(c);
      return "ok";
    } catch (e) {
      return e.name;
    }
  }),
  tags: () => [Intl, new Intl.DateTimeFormat(), new Intl.NumberFormat(), new Intl.PluralRules(), new Intl.Collator(), new Intl.ListFormat(), new Intl.RelativeTimeFormat("en")].map((x) => Object.prototype.toString.call(x)),
  segmenter: () => {
    const s = new Intl.Segmenter("de", { granularity: "grapheme" }), texts = ["", "abc", "e\u0301a", "\u{1F1E9}\u{1F1EA}\u{1F1EB}", "\u{1F469}\u200D\u{1F469}\u200D\u{1F467}x", "\u{1F44D}\u{1F3FD}!", "\r\n\n\r", "\uD55C\uAD6D\u1112\u1161\u11AB", "\u0928\u093F\u0915", "\u0E01\u0E33", "1\uFE0F\u20E3", "\u{1F3F4}\u{E0067}\u{E0062}\u{E007F}", "a\u200Bb\u00ADc", "\u0600\u0661", "\u2028x", "z\u0308\u0323\u2764\uFE0F\u200D\u{1F525}"];
    return [texts.map((t) => [...s.segment(t)].map((x) => x.segment)), [...s.segment("e\u0301a")].map((x) => [x.index, x.input]), s.segment("e\u0301a").containing(1).segment, s.segment("ab").containing(5) ?? null, s.segment("ab").containing().index, s.resolvedOptions().granularity, Intl.Segmenter.name, Object.prototype.toString.call(s), Intl.Segmenter.supportedLocalesOf("de")];
  }
};
export {
  items
};
