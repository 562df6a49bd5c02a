// performance: a clock, and marks on it.
import { sync } from "./bridge.js";
import { expose } from "./primordials.js";

class PerformanceEntry {
  #about;
  constructor(about) { this.#about = about; }
  get name() { return this.#about.name; }
  get entryType() { return this.#about.entryType; }
  get startTime() { return this.#about.startTime; }
  get duration() { return this.#about.duration; }
  get detail() { return this.#about.detail ?? null; }
  toJSON() { return { ...this.#about }; }
}

// most bounds what is kept: a host runs for weeks.
const most = 1000;

class Performance {
  #origin = Date.now() - sync("process.now");
  #entries = [];

  get timeOrigin() { return this.#origin; }
  now() { return sync("process.now"); }

  #keep(about) {
    const entry = new PerformanceEntry(about);
    this.#entries.push(entry);
    if (this.#entries.length > most) this.#entries.shift();
    return entry;
  }

  mark(name, options) { return this.#keep({ name: String(name), entryType: "mark", startTime: options?.startTime ?? this.now(), duration: 0, detail: options?.detail }); }

  measure(name, from, to) {
    const options = typeof from === "object" && from !== null ? from : { start: from, end: to };
    const startTime = this.#at(options.start, 0), end = this.#at(options.end, this.now());
    return this.#keep({ name: String(name), entryType: "measure", startTime, duration: end - startTime, detail: options.detail });
  }

  #at(mark, otherwise) {
    if (mark === undefined) return otherwise;
    if (typeof mark === "number") return mark;
    const found = this.#entries.findLast((e) => e.entryType === "mark" && e.name === mark);
    if (!found) throw new DOMException(`The "${mark}" performance mark has not been set`, "SyntaxError");
    return found.startTime;
  }

  getEntries() { return [...this.#entries]; }
  getEntriesByName(name, type) { return this.#entries.filter((e) => e.name === name && (type === undefined || e.entryType === type)); }
  getEntriesByType(type) { return this.#entries.filter((e) => e.entryType === type); }
  clearMarks(name) { this.#drop("mark", name); }
  clearMeasures(name) { this.#drop("measure", name); }
  #drop(type, name) { this.#entries = this.#entries.filter((e) => e.entryType !== type || (name !== undefined && e.name !== name)); }
  timerify(f) { return f; }
  toJSON() { return { timeOrigin: this.#origin }; }
}

expose({ Performance, PerformanceEntry });
globalThis.performance = new Performance();
