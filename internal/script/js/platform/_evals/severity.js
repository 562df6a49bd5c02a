// How much a miss matters.
const { sync } = __bdk;

const within = (x) => typeof x === "number" && x >= 0 && x <= 1;

// scoreOf gives a score as a number from 0 to 1.
export function scoreOf(score) {
  if (typeof score === "boolean") return score ? 1 : 0;
  if (!within(score)) throw new TypeError(`a score is a number from 0 to 1, not ${__bdk.evals.kindOf(score)}`);
  return score;
}

function bound(name, threshold) {
  if (!within(threshold)) throw new TypeError(`${name} needs a threshold from 0 to 1, not ${__bdk.evals.kindOf(threshold)}`);
  return threshold;
}

// A Handle is what each assertion gives: the last call on it holds.
export class Handle {
  #run;
  #index;
  constructor(run, index) {
    this.#run = run;
    this.#index = index;
  }
  get index() { return this.#index; }

  gate(threshold = 1) { return this.#set("gate", bound("gate", threshold)); }
  soft(threshold = 1) { return this.#set("soft", bound("soft", threshold)); }
  atLeast(threshold) { return this.#set("atLeast", bound("atLeast", threshold)); }

  #set(severity, threshold) {
    sync("eval.severity", this.#run, this.#index, severity, threshold);
    return this;
  }
}
