// What the streams share: queues that know their size, strategies, and promises
// that are settled from outside.
export class CountQueuingStrategy {
  constructor({ highWaterMark }) { this.highWaterMark = Number(highWaterMark); }
  get size() { return () => 1; }
}

export class ByteLengthQueuingStrategy {
  constructor({ highWaterMark }) { this.highWaterMark = Number(highWaterMark); }
  get size() { return (chunk) => chunk.byteLength; }
}

// strategyOf reads a strategy: {mark, size}.
export function strategyOf(strategy, usual) {
  const given = strategy?.highWaterMark, mark = given === undefined ? usual : Number(given);
  if (Number.isNaN(mark) || mark < 0) throw new RangeError(`the highWaterMark of a stream must be a number of at least 0, not ${given}`);
  const size = strategy?.size;
  if (size !== undefined && typeof size !== "function") throw new TypeError("the size of a queuing strategy must be a function");
  return { mark, size: size === undefined ? () => 1 : (chunk) => size(chunk) };
}

// A Queue holds chunks with their sizes.
export class Queue {
  #items = [];
  #head = 0;
  total = 0;

  get length() { return this.#items.length - this.#head; }

  push(chunk, size) {
    size = Number(size);
    if (!(size >= 0) || size === Infinity) throw new RangeError(`the size of a chunk must be a finite number of at least 0, not ${size}`);
    this.#items.push({ chunk, size });
    this.total += size;
  }

  shift() {
    const { chunk, size } = this.#items[this.#head];
    this.#items[this.#head++] = undefined;
    if (this.#head > 64 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    this.total = Math.max(0, this.total - size);
    return chunk;
  }

  unshift(chunk, size) {
    this.#items = [{ chunk, size }, ...this.#items.slice(this.#head)];
    this.#head = 0;
    this.total += size;
  }

  clear() {
    this.#items = [];
    this.#head = this.total = 0;
  }
}

// deferred is a promise with its two ends. One that nobody looks at is no
// unhandled rejection: closed and ready of a reader or writer are such.
export function deferred() {
  const d = Promise.withResolvers();
  d.promise.catch(() => {});
  return d;
}

export const rejected = (e) => {
  const p = Promise.reject(e);
  p.catch(() => {});
  return p;
};

export const invalidState = (text) => Object.assign(new TypeError(text), { code: "ERR_INVALID_STATE" });
