// The record of a case. The host keeps it, so that what a test has asserted is there
// when its time is over. It is used by whoever makes an assertion:
//
//   record.add(name, severity, { score, message?, turn?, judge? }) → handle
//   record.pend(name, severity, promise of { score, message?, judge? }, { turn? }?) → handle
//
// name is the call as it reads. severity is "gate", "soft" or "atLeast". A score is from
// 0 to 1, or a boolean. One that pends keeps its place; where its promise is rejected,
// that is the fault of the case, of the kind e.bdkFault ("test" where there is none).
import { Handle, scoreOf } from "./severity.js";

const { sync } = __bdk;

export class Record {
  #id;
  #pending = [];
  constructor(id) { this.#id = id; }

  add(name, severity, found) { return this.#put(name, severity, found, scoreOf(found.score), false); }

  pend(name, severity, promise, more = {}) {
    const handle = this.#put(name, severity, more, 0, true), at = handle.index;
    const settled = Promise.resolve(promise).then(({ score, message = "", judge = "" }) => {
      sync("eval.settle", this.#id, at, scoreOf(score), message, judge);
    });
    settled.catch(() => {}); // settled() takes it up
    this.#pending.push(settled);
    return handle;
  }

  #put(name, severity, { message, turn, judge }, score, pending) {
    const text = JSON.stringify({ name, severity, threshold: 1, score, message, turn, judge, pending });
    return new Handle(this.#id, sync("eval.add", this.#id, text, new Error().stack));
  }

  // settled waits for all that pends, and throws the fault of the first that has one.
  async settled() {
    const faults = [];
    for (let i = 0; i < this.#pending.length; i++) { // more may come meanwhile
      try {
        await this.#pending[i];
      } catch (e) {
        faults.push(e);
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  log(text) { sync("eval.log", this.#id, text); }
  skip(reason) { sync("eval.skip", this.#id, reason); }
}
