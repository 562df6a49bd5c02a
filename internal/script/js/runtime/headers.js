// Headers.
import { expose } from "./primordials.js";

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export class Headers {
  #map = new Map();
  #fixed = false;

  constructor(init) {
    if (init === undefined) return;
    if (init === null || typeof init !== "object") throw new TypeError("Headers needs an object, pairs or Headers");
    const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
    for (const pair of pairs) {
      const entry = [...pair];
      if (entry.length !== 2) throw new TypeError("each header pair must have a name and a value");
      this.append(entry[0], entry[1]);
    }
  }

  // fix makes headers that nobody may change, as those of an answer are.
  static fix(headers) {
    headers.#fixed = true;
    return headers;
  }

  #name(name) {
    name = String(name);
    if (!token.test(name)) throw new TypeError(`${name} is not a legal HTTP header name`);
    return name.toLowerCase();
  }
  #value(value) {
    value = String(value).replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, "");
    if (/[\0\r\n]/.test(value) || /[^\0-\xff]/.test(value)) throw new TypeError(`${value} is not a legal HTTP header value`);
    return value;
  }
  #change(name) {
    if (this.#fixed) throw new TypeError("these headers are immutable");
    return name;
  }

  append(name, value) {
    name = this.#change(this.#name(name));
    const list = this.#map.get(name);
    if (list) list.push(this.#value(value));
    else this.#map.set(name, [this.#value(value)]);
  }
  set(name, value) { this.#map.set(this.#change(this.#name(name)), [this.#value(value)]); }
  get(name) {
    name = this.#name(name);
    return this.#map.get(name)?.join(name === "cookie" ? "; " : ", ") ?? null;
  }
  has(name) { return this.#map.has(this.#name(name)); }
  delete(name) { this.#map.delete(this.#change(this.#name(name))); }
  getSetCookie() { return [...(this.#map.get("set-cookie") ?? [])]; }
  forEach(f, self) { for (const [name, value] of this) f.call(self, value, name, this); }

  *entries() {
    for (const name of [...this.#map.keys()].sort()) {
      if (name === "set-cookie") for (const value of this.#map.get(name) ?? []) yield [name, value];
      else yield [name, this.get(name)];
    }
  }
  *keys() { for (const [name] of this) yield name; }
  *values() { for (const [, value] of this) yield value; }
  [Symbol.iterator]() { return this.entries(); }
}
export const { fix } = Headers;
delete Headers.fix;
expose({ Headers });
