// t, what the test of a case is given.
import { openRequests, ofType } from "./happened.js";
import { bindJudge } from "./judge.js";
import { isExpectation, isThenable } from "./match.js";
import { eventMatcher, find, missing, toolMatcher, toolName } from "./matchers.js";
import { called, kindOf } from "./show.js";
import { trajectory } from "./trajectory.js";

// Stop ends the body of a test; what made it is in the record already.
export class Stop extends Error {}

// testOf makes the t of a case.
export function testOf(state) {
  const { record, given } = state;
  return {
    send: (message, options) => state.send(message, options),
    approve: (callId) => state.decide("t.approve", callId, true),
    deny: (reason, callId) => state.decide("t.deny", callId, false, reason),
    get reply() { return state.reply(); },
    get events() { return state.events(); },
    get turns() { return state.turns.map((t) => t.turn); },
    get toolCalls() { return state.calls(); },
    get sessionId() { return state.turns.at(-1)?.facts.sessionId ?? ""; },
    get signal() { return state.signal(); },
    iteration: given.iteration,
    iterations: given.iterations,
    judge: bindJudge(state),
    ...trajectory({ record, turn: undefined, turns: () => state.turns.map((t) => t.facts), events: () => state.events(), calls: () => state.calls() }),
    check: (value, expectation) => check(record, value, expectation),
    score: (name, value) => score(record, name, value),
    log: (...args) => record.log(__bdk.format(args, { breakLength: Infinity, compact: true, depth: 5 })),
    skip(reason = "") {
      record.skip(String(reason));
      throw new Stop("the test is skipped");
    },
    ...requires(state),
  };
}

function expects(what, expectation) {
  if (!isExpectation(expectation)) throw new TypeError(`${what} needs an expectation, such as includes("x") or equals(1), not ${kindOf(expectation)}`);
}

// threw is what an expectation finds that breaks off; faults of judges are not its own.
function threw(e) {
  if (e?.bdkFault !== undefined) throw e;
  return { score: false, message: `it threw: ${e?.message ?? e}` };
}

// check holds a value, or what a promise gives, against an expectation.
function check(record, value, expectation) {
  expects("t.check", expectation);
  const { severity } = expectation, name = called("check", [expectation]);
  const found = isThenable(value) ? Promise.resolve(value).then((x) => evaluated(expectation, x)) : evaluated(expectation, value);
  return isThenable(found) ? record.pend(name, severity, found) : record.add(name, severity, found);
}

function evaluated(expectation, value) {
  try {
    const found = expectation.evaluate(value);
    return isThenable(found) ? found.then((x) => x, threw) : found;
  } catch (e) {
    return threw(e);
  }
}

function score(record, name, value) {
  if (typeof name !== "string" || name === "") throw new TypeError(`t.score needs a name, not ${kindOf(name)}`);
  if (typeof value !== "number" || !(value >= 0 && value <= 1)) throw new TypeError(`t.score needs a number from 0 to 1 for ${JSON.stringify(name)}, not ${kindOf(value)}`);
  return record.add(called("score", [name]), "soft", { score: value });
}

// requires are the assertions that give what they find, and end the test without it.
function requires(state) {
  const { record } = state;
  const require = (name, args, problem, found) => {
    record.add(called(name, args), "gate", { score: problem === "", message: problem });
    if (problem) throw new Stop(`${called(name, args)}: ${problem}`);
    return found;
  };
  return {
    requireToolCall(name, matcher) {
      const wanted = toolMatcher("requireToolCall", matcher), calls = state.calls().filter((c) => c.name === toolName("requireToolCall", name));
      const problem = missing(calls, wanted, `${name} was called`);
      return require("requireToolCall", [name, matcher], problem, problem ? undefined : find(calls, wanted).found[0]);
    },
    requireInputRequest(matcher) {
      const wanted = requestMatcher(matcher), events = state.events(), asked = ofType(events, "input.requested"), open = new Set(openRequests(events));
      const problem = missing(asked, wanted, "input was requested");
      const { found } = problem ? { found: [] } : find(asked, wanted);
      return require("requireInputRequest", [matcher], problem, found.find((e) => open.has(e)) ?? found[0]);
    },
    require(value, expectation) {
      if (expectation === undefined) return require("require", [value], value === undefined || value === null ? `it is ${value}` : "", value);
      expects("t.require", expectation);
      if (isThenable(value)) throw new TypeError("t.require needs a value, not a promise: await it first");
      const found = evaluated(expectation, value);
      if (isThenable(found)) throw new TypeError(`t.require answers at once, and ${expectation.label} takes time: use t.check`);
      return require("require", [value, expectation], Number(found.score) === 1 ? "" : found.message || `it does not fit ${expectation.label}`, value);
    },
  };
}

const requestFields = ["requestId", "kind", "callId", "toolName", "args"];

// requestMatcher takes {data, count}, or the fields of data themselves.
function requestMatcher(given) {
  if (given === null || typeof given !== "object" || !Object.keys(given).some((key) => requestFields.includes(key))) return eventMatcher("requireInputRequest", given);
  const { count, ...data } = given, other = Object.keys(data).find((key) => !requestFields.includes(key));
  if (other !== undefined) throw new TypeError(`a matcher of requireInputRequest has no ${JSON.stringify(other)}: it may have data, or ${requestFields.join(", ")}, and count`);
  return eventMatcher("requireInputRequest", { data, count });
}
