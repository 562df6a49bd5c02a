// URL and URLSearchParams. Go parses by the WHATWG standard.
import { sync } from "./bridge.js";
import { expose } from "./primordials.js";

const fields = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];

class URL {
  #parts;
  #params;

  constructor(url, base) {
    this.#read(base === undefined ? sync("url.parse", String(url)) : sync("url.parse", String(url), String(base)));
  }

  #read(text) {
    const values = text.split("\n");
    this.#parts = {};
    fields.forEach((name, i) => { this.#parts[name] = values[i]; });
  }

  static #part = (url, name) => url.#parts[name];
  static part(url, name) { return URL.#part(url, name); }

  static change(url, name, value) {
    if (name === "href") url.#read(sync("url.parse", String(value)));
    else url.#read(sync("url.set", url.#parts.href, name, String(value)));
    if (url.#params && (name === "href" || name === "search")) refill(url.#params, url.#parts.search);
  }

  get searchParams() {
    if (!this.#params) {
      this.#params = new URLSearchParams(this.#parts.search);
      owners.set(this.#params, (text) => this.#read(sync("url.set", this.#parts.href, "search", text)));
    }
    return this.#params;
  }

  toString() { return this.#parts.href; }
  toJSON() { return this.#parts.href; }

  static canParse(url, base) { return URL.parse(url, base) !== null; }

  static parse(url, base) {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }
}

const { part, change } = URL;
delete URL.part;
delete URL.change;
for (const name of fields) {
  const d = { get() { return part(this, name); }, enumerable: true, configurable: true };
  if (name !== "origin") d.set = function (value) { change(this, name, value); };
  Object.defineProperty(URL.prototype, name, d);
}

// owners are told when the parameters of a URL change.
const owners = new WeakMap();
const lists = new WeakMap();
const listOf = (params) => lists.get(params);

function refill(params, search) { lists.set(params, parse(search)); }

function changed(params) { owners.get(params)?.(params.toString()); }

class URLSearchParams {
  constructor(init = "") {
    lists.set(this, entriesOf(init));
  }

  get size() { return listOf(this).length; }

  append(name, value) {
    listOf(this).push([String(name), String(value)]);
    changed(this);
  }

  delete(name, value) {
    lists.set(this, listOf(this).filter(([n, v]) => n !== String(name) || (value !== undefined && v !== String(value))));
    changed(this);
  }

  get(name) { return listOf(this).find(([n]) => n === String(name))?.[1] ?? null; }
  getAll(name) { return listOf(this).filter(([n]) => n === String(name)).map(([, v]) => v); }
  has(name, value) { return listOf(this).some(([n, v]) => n === String(name) && (value === undefined || v === String(value))); }

  set(name, value) {
    const list = listOf(this), i = list.findIndex(([n]) => n === String(name));
    if (i < 0) list.push([String(name), String(value)]);
    else {
      list[i] = [String(name), String(value)];
      lists.set(this, list.filter(([n], j) => j <= i || n !== String(name)));
    }
    changed(this);
  }

  sort() {
    listOf(this).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    changed(this);
  }

  forEach(f, self) { for (const [n, v] of listOf(this)) f.call(self, v, n, this); }
  *entries() { for (const [n, v] of listOf(this)) yield [n, v]; }
  *keys() { for (const [n] of listOf(this)) yield n; }
  *values() { for (const [, v] of listOf(this)) yield v; }
  [Symbol.iterator]() { return this.entries(); }
  toString() { return listOf(this).map(([n, v]) => encode(n) + "=" + encode(v)).join("&"); }
}

function entriesOf(init) {
  if (init === null || (typeof init !== "object" && typeof init !== "function")) return parse(String(init));
  if (typeof init[Symbol.iterator] === "function") {
    return [...init].map((pair) => {
      const [n, v, ...more] = pair;
      if (more.length || [...pair].length !== 2) throw new TypeError("each query pair must have a name and a value");
      return [String(n), String(v)];
    });
  }
  return Object.keys(init).map((k) => [k, String(init[k])]);
}

function parse(text) {
  return text.replace(/^\?/, "").split("&").filter(Boolean).map((pair) => {
    const i = pair.indexOf("=");
    return i < 0 ? [decode(pair), ""] : [decode(pair.slice(0, i)), decode(pair.slice(i + 1))];
  });
}

// decode never throws: what is no UTF-8 becomes U+FFFD.
function decode(text) {
  text = text.replaceAll("+", " ");
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    const bytes = [];
    const raw = new TextEncoder().encode(text);
    for (let i = 0; i < raw.length; i++) {
      const hex = raw[i] === 0x25 ? String.fromCharCode(raw[i + 1] ?? 0, raw[i + 2] ?? 0) : "";
      if (/^[0-9a-f]{2}$/i.test(hex)) {
        bytes.push(parseInt(hex, 16));
        i += 2;
      } else bytes.push(raw[i]);
    }
    return new TextDecoder().decode(Uint8Array.from(bytes));
  }
}

const encode = (text) =>
  encodeURIComponent(text.toWellFormed()).replace(/[!'()~]|%20/g, (c) => (c === "%20" ? "+" : "%" + c.charCodeAt(0).toString(16).toUpperCase()));

expose({ URL, URLSearchParams });
