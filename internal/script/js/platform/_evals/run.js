// The runner of cases: what Go asks of a suite's code.
import { Case } from "./case.js";
import { Stop, testOf } from "./test.js";

const { async, sync, evals } = __bdk;

// cases are those whose tests run, by the host's number of them.
const cases = new Map();

// at gives the eval that the host means, and in it what it means: a case, or the eval itself.
function at(definition, given) {
  const evaluation = Array.isArray(definition) ? definition[given.index] : definition;
  return { evaluation, one: given.case < 0 ? evaluation : evaluation?.cases?.[given.case] };
}

// run runs the test of a case, and tells of its fault if it has one.
evals.run = async (id, definition, given, signal) => {
  const { evaluation, one } = at(definition, given);
  if (typeof one?.test !== "function") throw new TypeError(`${given.id} has no test`);
  const state = new Case(id, given, one === evaluation ? [one.stubs] : [evaluation.stubs, one.stubs], signal);
  cases.set(id, state);
  try {
    await tested(one, state);
  } catch (e) {
    sync("eval.fault", id, typeof e?.bdkFault === "string" ? e.bdkFault : "test", evals.describe(e));
  } finally {
    cases.delete(id);
  }
};

async function tested(one, state) {
  let fault, stopped = false;
  try {
    await one.test(testOf(state));
  } catch (e) {
    stopped = true;
    if (!(e instanceof Stop)) fault = { thrown: e };
  }
  state.end();
  if (!stopped && state.straying) fault = { thrown: state.straying };
  try {
    await async(state.id, "eval.rest"); // what nobody caught until here is the case's
    await state.record.settled();
    await state.rested();
  } catch (e) {
    fault ??= { thrown: e };
  }
  if (fault) throw fault.thrown;
}

// stub answers a call of a tool by a function of a test.
evals.stub = ({ run, tool, input }) => {
  const f = cases.get(run)?.functions?.get(tool);
  if (f === undefined) throw new Error(`the case that stubs ${tool} has ended`);
  return f(input ?? {});
};

// report calls a method of a reporter, where it has it.
evals.report = (definition, given) => {
  const reporter = at(definition, given).one?.reporters?.[given.reporter];
  if (typeof reporter?.[given.method] !== "function") return undefined;
  return reporter[given.method](given.argument);
};
