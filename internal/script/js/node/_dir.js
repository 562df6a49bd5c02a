// Dir, what fs.opendir gives.
import { coded } from "./_errors.js";

export class Dir {
  #list;
  #closed = false;
  constructor(path, list) {
    this.path = path;
    this.#list = [...list];
  }

  #next() {
    if (this.#closed) throw coded(Error, "ERR_DIR_CLOSED", "Directory handle was closed");
    return this.#list.shift() ?? null;
  }
  readSync() { return this.#next(); }
  async read() { return this.#next(); }
  closeSync() { this.#closed = true; }
  async close() { this.#closed = true; }
  async *entries() {
    try {
      for (let e; (e = this.#next()) !== null;) yield e;
    } finally {
      this.#closed = true;
    }
  }
  [Symbol.asyncIterator]() { return this.entries(); }
}
