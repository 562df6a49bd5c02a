// Calls of the project's functions. An answer is "+" and JSON, or "-" and what
// was thrown; it is given at once where the project did not need to wait.
import { bdk, sync } from "./bridge.js";
import { Context, show } from "./context.js";
import { describe, issuesOf } from "./errors.js";
import { frozen } from "./frozen.js";
import { encode } from "./json.js";
import { exportOf } from "./modules.js";
import { output } from "./output.js";
import { apply, Boolean, cut, Error, isThenable, oldest, parse, push, settled, split, stringify, Table, trim, TypeError } from "./primordials.js";
import { isSchema, validate } from "./schema.js";

// waiting are the contexts of calls that have not answered yet.
const waiting = new Table();

bdk.entries.call = (id, op, module, text, key) => {
  const context = new Context(id);
  const call = { id, module, key, context, ctx: show(context) };
  return attempt(call, () => run(call, op, exportOf(module), text));
};

bdk.entries.abort = (id, name, message) => {
  const context = waiting.get(id);
  if (context) Context.abort(context, new DOMException(message, name));
};

// current is the call whose step runs. An interrupt ends a step without a word,
// so Go asks which one it was.
let current = 0;
bdk.entries.stuck = () => {
  const id = current;
  current = 0;
  waiting.delete(id);
  return id;
};

// attempt runs a step. Its answer is undefined while the call waits for a promise.
function attempt(call, step) {
  current = call.id;
  let text;
  try {
    const result = step();
    if (result !== undefined) text = "+" + result;
  } catch (e) {
    text = refusal(e);
  }
  current = 0;
  return text;
}

// after goes on with a value: at once, or when the promise that it is has settled.
// Where otherwise is given, it goes on after a rejection.
function after(call, x, next, otherwise) {
  if (!isThenable(x)) return next(x);
  waiting.set(call.id, call.context);
  const failed = (e) => (otherwise ? attempt(call, otherwise) : refusal(e));
  settled(x, (value) => answer(call, attempt(call, () => next(value))), (e) => answer(call, failed(e)));
  return undefined;
}

function answer(call, text) {
  if (text === undefined) return; // it waits for another promise
  waiting.delete(call.id);
  sync("call.done", call.id, text);
}

// refused marks what the caller sent, not what the tool did, as the fault.
class Refused extends Error {
  constructor(issues) {
    super("invalid input");
    this.issues = issues;
  }
}

const refusal = (e) =>
  "-" + (e instanceof Refused ? stringify({ kind: "input", issues: issuesOf(e.issues) }) : describe(e));

function run(call, op, tool, text) {
  if (op === "prepare") return prepare(call, tool, text);
  if (op === "execute") return execute(call, tool, text);
  if (op === "dryRun") return dryRun(call, tool, text);
  if (cut(op, 0, 5) === "hook:") return handle(call, tool, cut(op, 5), text);
  if (cut(op, 0, 6) === "parse:") return fit(call, tool, parse(cut(op, 6)), text);
  return after(call, invoke(tool, cut(op, "function:".length), parse(text), call.ctx), encode);
}

// prepared are the inputs of calls that were prepared and will most likely run
// next: what was decided on is what runs, and it is parsed once.
const prepared = new Table();
const mostPrepared = 64;

function keep(call, text, input) {
  if (prepared.size >= mostPrepared) prepared.delete(oldest(prepared));
  prepared.set(call.key, { module: call.module, text, input });
}

// kept gives a prepared input once; a call that runs again is parsed again.
function kept(call, text) {
  const entry = prepared.get(call.key);
  if (entry === undefined) return undefined;
  prepared.delete(call.key);
  return entry.module === call.module && entry.text === text ? entry : undefined;
}

// parsed goes on with the input as the tool's schema gives it.
function parsed(call, tool, text, next) {
  const entry = kept(call, text);
  if (entry !== undefined) return next(entry.input);
  const input = text === "" || trim(text) === "" ? {} : parse(text);
  return after(call, validate(tool.inputSchema, input), (r) => {
    if (r.issues) throw new Refused(r.issues);
    return next(r.value);
  });
}

// prepare finds what holds for this call. A function that throws counts as the careful answer.
function prepare(call, tool, text) {
  return parsed(call, tool, text, (input) => {
    keep(call, text, input);
    const effect = effectOf(tool, input);
    const shown = isSchema(tool.inputSchema) ? encode(input) : trim(text) || "{}"; // digits of big numbers stay
    const done = (approval) => `{"input":${shown},"effect":"${effect}","needsApproval":${approval}}`;
    if (typeof tool.needsApproval !== "function") return done(tool.needsApproval === true);
    try {
      const r = tool.needsApproval(input, call.ctx);
      return after(call, r, (answer) => done(Boolean(answer)), () => done(true));
    } catch {
      return done(true);
    }
  });
}

function effectOf(tool, input) {
  if (typeof tool.effect !== "function") return tool.effect === "write" ? "write" : "read";
  try {
    return tool.effect(input) === "read" ? "read" : "write";
  } catch {
    return "write";
  }
}

function execute(call, tool, text) {
  return parsed(call, tool, text, (input) => after(call, tool.execute(input, call.ctx), (result) => output(tool, result, (x, next) => after(call, x, next))));
}

function dryRun(call, tool, text) {
  if (typeof tool.dryRunResult !== "function") return '{"stubbed":true}';
  return parsed(call, tool, text, (input) => after(call, tool.dryRunResult(input, call.ctx), encode));
}

// handle gives an event to a hook's handler; what that returns is nobody's business.
function handle(call, hook, type, text) {
  const f = hook.events?.[type];
  if (typeof f !== "function") throw new TypeError(`the hook has no handler for ${type}`);
  return after(call, apply(f, hook.events, [frozen(text), call.ctx]), () => "null");
}

// fit holds a value against the schema at a path of a definition.
function fit(call, definition, path, text) {
  let schema = definition;
  for (let i = 0; i < path.length; i++) schema = schema?.[path[i]];
  return after(call, validate(schema, parse(text)), (r) => {
    if (r.issues) throw new Refused(r.issues);
    return encode(r.value, "the value");
  });
}

// invoke runs the function at a dotted path of a definition.
function invoke(value, path, args, ctx) {
  let owner, f = value;
  const names = path ? split(path, ".") : [];
  for (let i = 0; i < names.length; i++) {
    owner = f;
    f = f?.[names[i]];
  }
  if (typeof f !== "function") throw new TypeError(`${path || "the default export"} is not a function`);
  push(args, ctx);
  return apply(f, owner, args);
}
