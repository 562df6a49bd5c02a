// Intl.DateTimeFormat: English of the United States by the engine's add-on, the
// other locales by their tables, with the fields that the add-on computes.
import { localeOf, supported } from "./locale.js";

const dateFields = ["weekday", "year", "month", "day"], timeFields = ["dayPeriod", "hour", "minute", "second", "fractionalSecondDigits"];
const short = { numeric: "1", "2-digit": "2", short: "s", narrow: "s", long: "l" };

// withDefaults gives options the fields that they need: those of a date, a time, or both.
function withDefaults(options, required, defaults) {
  if (options === null) throw new TypeError("Options must be an object");
  const o = { ...Object(options) }, has = (list) => list.some((f) => o[f] !== undefined);
  if (required === "date" && o.timeStyle !== undefined) throw new TypeError("Option timeStyle is not usable when formatting a date");
  if (required === "time" && o.dateStyle !== undefined) throw new TypeError("Option dateStyle is not usable when formatting a time");
  const given = (required !== "time" && has(dateFields)) || (required !== "date" && has(timeFields)) || o.dateStyle !== undefined || o.timeStyle !== undefined;
  if (given) return o;
  if (defaults !== "time") Object.assign(o, { year: "numeric", month: "numeric", day: "numeric" });
  if (defaults !== "date") Object.assign(o, { hour: "numeric", minute: "numeric", second: "numeric" });
  return o;
}

// tokens splits a pattern into fields and literals.
function tokens(pattern) {
  return [...pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+/g)].map(([all, quoted, letter]) => {
    if (quoted !== undefined) return { literal: quoted.replaceAll("''", "'") || "'" };
    return letter ? { letter, size: all.length } : { literal: all };
  });
}

export function makeDates(base, canonical) {
  const Base = base.DateTimeFormat;

  // A Local writes dates by the table of a locale.
  class Local {
    constructor(match, options) {
      const { hour12, hourCycle, timeZoneName, ...rest } = options;
      this.match = match;
      this.options = options;
      this.inner = new Base("en-US", options); // checks the options, and knows the zone
      this.resolved = this.inner.resolvedOptions();
      const { timeZone } = this.resolved;
      this.cycle = this.#cycle(hour12, hourCycle);
      const fields = { timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric", second: "numeric", weekday: "short", fractionalSecondDigits: 3 };
      this.fields = new Base("en-US", fields);
      const zone = timeZoneName ?? ({ full: "long", long: "short" })[rest.timeStyle];
      if (zone) this.zone = new Base("en-US", { timeZone, hour: "numeric", timeZoneName: { short: "shortOffset", long: "longOffset" }[zone] ?? zone });
      this.pattern = tokens(this.#pattern(timeZoneName));
    }

    #cycle(hour12, hourCycle) {
      const r = this.resolved, wants = r.hour !== undefined || r.timeStyle !== undefined || this.options.hour !== undefined;
      if (!wants) return undefined;
      const usual = this.match.data.hour12 ? "h12" : "h23";
      if (hour12 !== undefined) return hour12 ? (this.match.table === "ja" ? "h11" : "h12") : "h23";
      return hourCycle ?? this.match.hc ?? usual;
    }

    get twelve() { return this.cycle === "h12" || this.cycle === "h11"; }

    #pattern(timeZoneName) {
      const r = this.resolved, { data } = this.match;
      if (r.dateStyle || r.timeStyle) return this.#styled(r, data);
      const key = dateFields.map((f) => short[r[f]] ?? "").join("|"), date = key === "|||" ? "" : data.dates[key];
      let time = this.#time(r, data);
      if (timeZoneName) {
        const before = /^z /.test(data.styles.time.full), beside = time || date;
        const zoned = !beside ? "z" : before && time ? "z " + beside : beside + (time ? " z" : ", z");
        if (!time) return zoned;
        time = zoned;
      }
      if (!date || !time) return date || time;
      return date + quoted(data.styles.joinFields[short[r.month] === "2" ? "1" : short[r.month]] ?? data.styles.joinFields[1]) + time;
    }

    #time(r, data) {
      const digits = r.fractionalSecondDigits;
      const second = digits ? "s" : r.second && "s", key = (r.hour ? short[this.options.hour] ?? short[r.hour] : "") + (r.minute ? "m" : "") + (second ?? "") + (r.hour && this.twelve ? "a" : "");
      const pattern = key === "" ? "" : data.times[key] ?? "";
      return digits ? pattern.replace(/s+/, (s) => s + quoted(data.numbers.decimal) + "S".repeat(digits)) : pattern;
    }

    #styled(r, data) {
      const date = r.dateStyle && data.styles.date[r.dateStyle];
      let time = r.timeStyle && data.styles.time[r.timeStyle];
      if (time && this.twelve !== data.hour12) {
        const zone = /^z /.test(time) ? "z " : "", end = / \(?z\)?$/.exec(time)?.[0] ?? "";
        time = zone + data.times[(this.twelve ? "1" : "2") + "m" + (r.timeStyle === "short" ? "" : "s") + (this.twelve ? "a" : "")] + end;
      }
      return date && time ? date + quoted(data.styles.join[r.dateStyle]) + time : date || time;
    }

    parts(date) {
      const of = Object.fromEntries(this.fields.formatToParts(date).map((p) => [p.type, p.value]));
      const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(of.weekday), out = [];
      for (const t of this.pattern) {
        const p = t.literal !== undefined ? { type: "literal", value: t.literal } : this.#field(t, of, day, date);
        const last = out[out.length - 1];
        if (last?.type === "literal" && p.type === "literal") last.value += p.value;
        else out.push(p);
      }
      return out;
    }

    #field({ letter, size }, of, day, date) {
      const pad = (n, width = size) => String(n).padStart(width, "0"), { names } = this.match.data, r = this.resolved;
      const style = (option, s) => (r[option] === "narrow" ? "narrow" : s === 4 ? "long" : "short");
      switch (letter) {
        case "y": return { type: "year", value: size === 2 ? pad(Number(of.year) % 100) : of.year };
        case "M": case "L": return { type: "month", value: size < 3 ? pad(of.month) : (names[letter] ?? names.M)[style("month", size)][of.month - 1] };
        case "E": case "c": return { type: "weekday", value: names[letter][style("weekday", size)][day] };
        case "d": return { type: "day", value: pad(of.day) };
        case "m": return { type: "minute", value: pad(Number(of.minute)) };
        case "s": return { type: "second", value: pad(Number(of.second)) };
        case "S": return { type: "fractionalSecond", value: of.fractionalSecond.slice(0, size) };
        case "a": return { type: "dayPeriod", value: names.a[of.hour < 12 ? 0 : 1] };
        case "z": return { type: "timeZoneName", value: this.#zone(date) };
      }
      const h = Number(of.hour), hour = { h11: h % 12, h12: h % 12 || 12, h23: h, h24: h || 24 }[this.cycle];
      return { type: "hour", value: pad(hour) };
    }

    // #zone names the zone by its offset: the tables have no names of zones.
    #zone(date) {
      if (this.resolved.timeZone === "UTC" && !/Offset$/.test(this.options.timeZoneName ?? "")) return "UTC";
      return this.zone.formatToParts(date).find((p) => p.type === "timeZoneName").value.replace("GMT", this.match.data.gmt);
    }

    resolvedOptions() {
      const { hourCycle: _, hour12: __, ...r } = this.resolved;
      return { ...r, locale: this.match.locale, ...(this.cycle ? { hourCycle: this.cycle, hour12: this.twelve } : {}) };
    }
  }

  const locals = new WeakMap();
  const timeOf = (date) => (date === undefined ? Date.now() : Number(date));
  const held = (f) => {
    const own = locals.get(f);
    if (!own) throw new TypeError("Intl.DateTimeFormat.prototype method called on an incompatible receiver");
    return own;
  };

  function DateTimeFormat(locales, options) {
    if (!(this instanceof DateTimeFormat)) return new DateTimeFormat(locales, options);
    const match = localeOf(canonical(locales)), o = withDefaults(options, "any", "date");
    if (match.table === "en" && match.hc && o.hour12 === undefined) o.hourCycle ??= match.hc;
    locals.set(this, match.table === "en" ? new Base("en-US", o) : new Local(match, o));
  }
  const write = (own, ms) => {
    if (own instanceof Base) return own.format(ms);
    if (!(Math.abs(ms) <= 8.64e15)) throw new RangeError("Invalid time value");
    return own.parts(ms).map((p) => p.value).join("");
  };
  Object.defineProperties(DateTimeFormat.prototype, {
    format: { get() { return (date) => write(held(this), timeOf(date)); }, configurable: true },
    formatToParts: { value(date) {
      const own = held(this);
      return own instanceof Base ? own.formatToParts(timeOf(date)) : own.parts(timeOf(date));
    }, writable: true, configurable: true },
    resolvedOptions: { value() { return held(this).resolvedOptions(); }, writable: true, configurable: true },
    [Symbol.toStringTag]: { value: "Intl.DateTimeFormat", configurable: true },
  });
  DateTimeFormat.supportedLocalesOf = (locales) => supported(canonical(locales));

  // local is Date's toLocaleString and its kin.
  const local = (required, defaults) => function (locales, options) {
    const ms = Date.prototype.valueOf.call(this);
    return ms !== ms ? "Invalid Date" : new DateTimeFormat(locales, withDefaults(options, required, defaults)).format(ms);
  };
  return { DateTimeFormat, toLocaleString: local("any", "all"), toLocaleDateString: local("date", "date"), toLocaleTimeString: local("time", "time") };
}

const quoted = (text) => (/[A-Za-z']/.test(text) ? "'" + text.replaceAll("'", "''") + "'" : text);
