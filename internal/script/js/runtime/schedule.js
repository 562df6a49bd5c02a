// Firings of schedules.
import { async } from "./bridge.js";
import { Context } from "./context.js";
import { encode } from "./json.js";
import { checked } from "./kv.js";
import { withHost } from "./lasting.js";
import { moduleOf } from "./modules.js";
import { apply, Date, isArray, isPromise, isThenable, parse, push, stringify, trim, TypeError, whenSettled } from "./primordials.js";
import { isPrincipal, principalFault, principalForm } from "./principal.js";
import { handleOf } from "./sessions.js";

const isText = (x) => typeof x === "string" && trim(x) !== "";

const delivery = {
  message: { wants: "a string with text in it", fits: isText },
  auth: { wants: principalForm, fits: (x) => x === null || isPrincipal(x), fault: principalFault },
  target: { wants: "a value that JSON has", fits: () => true },
};

// fire runs a schedule, and goes on, by after, when that and all that it gave to
// waitUntil has ended. The first fault is the firing's.
export function fire(call, schedule, after) {
  const { scheduledAt, appAuth } = parse(call.text), context = (call.context = new Context(call.id)), work = [];
  const ctx = withHost({ receive: bindReceive(call.id), callTool: bindCallTool(call.id), waitUntil: keeping(work), appAuth, scheduledAt: new Date(scheduledAt) }, context);
  return after(call, ended(schedule, ctx, work), nothing);
}

const nothing = () => "null";

async function ended(schedule, ctx, work) {
  const faults = [];
  const wait = async (x) => {
    try {
      await x();
    } catch (e) {
      push(faults, e);
    }
  };
  await wait(() => apply(schedule.run, schedule, [ctx]));
  for (let i = 0; i < work.length; i++) await wait(() => work[i]);
  if (faults.length > 0) throw faults[0];
}

// keeping gives the waitUntil of a firing.
const keeping = (work) => (promise) => {
  if (!isThenable(promise)) throw new TypeError("waitUntil needs a promise");
  if (isPromise(promise)) whenSettled(promise, undefined, () => {}); // its fault is taken up later
  else promise.then(undefined, () => {});
  push(work, promise);
};

// bindReceive gives a function that gives a message to a channel, by its definition or its id.
const bindReceive = (call) => async (channel, given) => {
  const to = typeof channel === "string" ? channel : moduleOf(channel);
  if (!isText(to)) throw new TypeError("receive needs a channel of this project: what a file of channels/ exports, or its id");
  if (given === null || typeof given !== "object" || isArray(given) || !isText(given.message)) throw new TypeError("receive needs {message, auth?, target?}, with a text in message");
  checked("receive", given, delivery);
  const target = given.target === undefined ? "" : encode(given.target, "the target");
  const sent = await async(call, "firing.receive", to, typeof channel !== "string", given.message, stringify(given.auth ?? null), target);
  return handleOf(call, "firing.wait", parse(sent));
};

// bindCallTool gives a function that runs a tool without a model: {isError, result}.
const bindCallTool = (call) => async (name, input) => {
  if (!isText(name)) throw new TypeError("callTool needs the name of a tool");
  return parse(await async(call, "firing.tool", name, input === undefined ? "{}" : encode(input, "the input")));
};
