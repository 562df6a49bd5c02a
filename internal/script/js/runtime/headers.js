// Headers.
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

export class Headers {
  #map = new Map();

  constructor(init) {
    if (init === undefined || init === null) return;
    if (typeof init !== "object") throw new TypeError("Headers needs an object, pairs or Headers");
    const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
    for (const pair of pairs) {
      const [name, value, ...more] = pair;
      if (value === undefined && !(1 in pair) || more.length) throw new TypeError("each header pair must have a name and a value");
      this.append(name, value);
    }
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

  append(name, value) {
    name = this.#name(name);
    const list = this.#map.get(name);
    if (list) list.push(this.#value(value));
    else this.#map.set(name, [this.#value(value)]);
  }
  set(name, value) { this.#map.set(this.#name(name), [this.#value(value)]); }
  get(name) { return this.#map.get(this.#name(name))?.join(", ") ?? null; }
  has(name) { return this.#map.has(this.#name(name)); }
  delete(name) { this.#map.delete(this.#name(name)); }
  getSetCookie() { return [...(this.#map.get("set-cookie") ?? [])]; }
  forEach(f, self) { for (const [name, value] of this) f.call(self, value, name, this); }

  *entries() {
    for (const name of [...this.#map.keys()].sort()) {
      if (name === "set-cookie") for (const value of this.#map.get(name)) yield [name, value];
      else yield [name, this.get(name)];
    }
  }
  *keys() { for (const [name] of this) yield name; }
  *values() { for (const [, value] of this) yield value; }
  [Symbol.iterator]() { return this.entries(); }
}
Object.defineProperty(Headers.prototype, Symbol.toStringTag, { value: "Headers" });
globalThis.Headers = Headers;
