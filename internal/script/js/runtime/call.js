// Calls of the project's functions. An answer is "+" and JSON, or "-" and what
// was thrown; it is given at once where the project did not need to wait.
import { bdk, done } from "./bridge.js";
import { Context, show } from "./context.js";
import { deliver } from "./deliver.js";
import { frozen } from "./frozen.js";
import { ofEvals } from "./evals.js";
import { encode } from "./json.js";
import { exportOf } from "./modules.js";
import { output } from "./output.js";
import { judge, policiesOf } from "./policies.js";
import { apply, Boolean, cut, isPromise, isThenable, oldest, parse, push, split, Table, trim, TypeError, whenSettled } from "./primordials.js";
import { Refused, refusal } from "./refused.js";
import { route, startChannel } from "./route.js";
import { fire } from "./schedule.js";
import { isSchema, validateInput } from "./schema.js";
import { wake } from "./wake.js";

// waiting are the calls that have not answered yet.
const waiting = new Table();

// A call goes from step to step: a function of the call and of what the step
// before gave. The steps are not made for each call, since to make a function
// costs as much as to run most of them.
bdk.entries.call = (id, op, module, text, key) => attempt({ id, op, module, text, key, tool: undefined, context: undefined, ctx: undefined, input: undefined }, start);

bdk.entries.abort = (id, name, message) => {
  const call = waiting.get(id);
  if (call?.context) Context.abort(call.context, new DOMException(message, name));
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
function attempt(call, step, value) {
  current = call.id;
  let text;
  try {
    const result = step(call, value);
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
  if (x === null || typeof x !== "object") return next(call, x);
  const own = !isPromise(x); // what is made another way has a then of its own
  if (own && typeof x.then !== "function") return next(call, x);
  waiting.set(call.id, call);
  const ok = (value) => answer(call, attempt(call, next, value)), failed = (e) => answer(call, otherwise ? attempt(call, otherwise, e) : refusal(e));
  if (own) x.then(ok, failed);
  else whenSettled(x, ok, failed);
  return undefined;
}

function answer(call, text) {
  if (text === undefined) return; // it waits for another promise
  waiting.delete(call.id);
  done(call.id, text);
}

// ctxOf makes what a tool sees of its call when it is first asked for.
function ctxOf(call) {
  if (call.ctx === undefined) call.ctx = show((call.context = new Context(call.id)));
  return call.ctx;
}

function start(call) {
  const { op } = call, tool = (call.tool = exportOf(call.module));
  if (op === "prepare") return parsed(call, prepare);
  if (op === "execute") return parsed(call, execute);
  if (op === "dryRun") return typeof tool.dryRunResult === "function" ? parsed(call, dryRun) : '{"stubbed":true}';
  if (cut(op, 0, 5) === "hook:") return handle(call, tool, cut(op, 5));
  if (cut(op, 0, 6) === "parse:") return fit(call, tool, parse(cut(op, 6)));
  if (cut(op, 0, 6) === "route:") return route(call, tool, cut(op, 6), after);
  if (cut(op, 0, 8) === "deliver:") return deliver(call, tool, cut(op, 8), after);
  if (cut(op, 0, 6) === "judge:") return judge(call, tool, cut(op, 6), after);
  if (cut(op, 0, 5) === "wake:") return wake(call, tool, cut(op, 5), after);
  if (op === "policies") return policiesOf(tool);
  if (cut(op, 0, 4) === "eval") return ofEvals(call, tool, op, after);
  if (op === "fire") return fire(call, tool, after);
  if (op === "start") return startChannel(call, tool, after);
  return after(call, invoke(tool, cut(op, "function:".length), parse(call.text), ctxOf(call)), encoded);
}

const encoded = (_, value) => encode(value);

// prepared are the inputs of calls that were prepared and will most likely run
// next: what was decided on is what runs, and it is parsed once.
const prepared = new Table();
const mostPrepared = 64;

function keep(call) {
  if (prepared.size >= mostPrepared) prepared.delete(oldest(prepared));
  prepared.set(call.key, { module: call.module, text: call.text, input: call.input });
}

// kept gives a prepared input once; a call that runs again is parsed again.
function kept(call) {
  const entry = prepared.get(call.key);
  if (entry === undefined) return undefined;
  prepared.delete(call.key);
  return entry.module === call.module && entry.text === call.text ? entry : undefined;
}

// parsed goes on with the input as the tool's schema gives it.
function parsed(call, next) {
  const entry = kept(call), { text } = call;
  if (entry !== undefined) return next(call, entry.input);
  const input = text === "" || trim(text) === "" ? {} : parse(text);
  const result = validateInput(call.tool.inputSchema, input);
  if (!isThenable(result)) return next(call, valueOf(result));
  return after(call, result, (_, r) => next(call, valueOf(r)));
}

function valueOf(result) {
  if (result.issues) throw new Refused(result.issues);
  return result.value;
}

// prepare finds what holds for this call. A function that throws counts as the careful answer.
function prepare(call, input) {
  const { tool } = call;
  call.input = input;
  keep(call);
  call.effect = effectOf(tool, input);
  if (typeof tool.needsApproval !== "function") return decided(call, tool.needsApproval === true);
  try {
    return after(call, tool.needsApproval(input, ctxOf(call)), decided, careful);
  } catch {
    return careful(call);
  }
}

const careful = (call) => decided(call, true);

function decided(call, approval) {
  const shown = isSchema(call.tool.inputSchema) ? encode(call.input) : trim(call.text) || "{}"; // digits of big numbers stay
  return `{"input":${shown},"effect":"${call.effect}","needsApproval":${Boolean(approval)}}`;
}

function effectOf(tool, input) {
  if (typeof tool.effect !== "function") return tool.effect === "write" ? "write" : "read";
  try {
    return tool.effect(input) === "read" ? "read" : "write";
  } catch {
    return "write";
  }
}

const execute = (call, input) => after(call, call.tool.execute(input, ctxOf(call)), result);
const result = (call, value) => output(call, value, after);
const dryRun = (call, input) => after(call, call.tool.dryRunResult(input, ctxOf(call)), encoded);

// handle gives an event to a hook's handler; what that returns is nobody's business.
function handle(call, hook, type) {
  const f = hook.events?.[type];
  if (typeof f !== "function") throw new TypeError(`the hook has no handler for ${type}`);
  return after(call, apply(f, hook.events, [frozen(call.text), ctxOf(call)]), nothing);
}

const nothing = () => "null";

// fit holds a value against the schema at a path of a definition.
function fit(call, definition, path) {
  let schema = definition;
  for (let i = 0; i < path.length; i++) schema = schema?.[path[i]];
  return after(call, validateInput(schema, parse(call.text)), fitted);
}

const fitted = (_, result) => encode(valueOf(result), "the value");

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
