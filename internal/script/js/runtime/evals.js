// Evals: what the entry of the package that they import has of the runtime, and what
// Go asks of it.
import { bdk } from "./bridge.js";
import { Context } from "./context.js";
import { describe } from "./errors.js";
import { encode } from "./json.js";
import { kindOf } from "./kv.js";
import { seedFiles } from "./sessions.js";
import { parse, TypeError } from "./primordials.js";

// The entry adds run, stub and report when a project imports it.
bdk.evals = { describe, encode, kindOf, seedFiles };

// ofEvals runs a case, answers for a tool by a stub of one, or tells a reporter.
export function ofEvals(call, definition, op, after) {
  const { evals } = bdk;
  if (typeof evals.run !== "function") throw new TypeError(`the module ${call.module} exports no eval of the package`);
  const given = parse(call.text);
  if (op === "eval") {
    const context = (call.context = new Context(call.id));
    return after(call, evals.run(call.id, definition, given, () => context.signal), nothing);
  }
  if (op === "eval:stub") return after(call, evals.stub(given), answered);
  return after(call, evals.report(definition, given), nothing);
}

const nothing = () => "null";
const answered = (_, value) => encode(value, "the answer of the stub");
