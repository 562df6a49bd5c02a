// Policies say who may call. What they are made of, such as tokens, is kept here: it
// is in no description of a definition, and Go alone is told.
import { bdk } from "./bridge.js";
import { requestOf } from "./incoming.js";
import { isPrincipal, principalFault, principalForm } from "./principal.js";
import { apply, freeze, isArray, parse, push, stringify, TypeError, WeakTable } from "./primordials.js";

const settings = new WeakTable(), makers = new WeakTable();

// policy gives the function that makes a built-in policy of its arguments.
bdk.policy = (kind) => {
  const make = (...args) => {
    const policy = freeze({ policy: kind });
    settings.set(policy, { kind, args });
    return policy;
  };
  makers.set(make, true);
  return make;
};

// policiesOf tells Go of a definition's policies: [{kind, args}], a function without
// args, what is none without a kind.
export function policiesOf(definition) {
  const list = definition.auth, out = [];
  for (let i = 0; isArray(list) && i < list.length; i++) push(out, settingsOf(list[i]));
  return stringify(out);
}

function settingsOf(policy) {
  if (typeof policy === "function") return { kind: makers.has(policy) ? "" : "function" };
  const known = policy !== null && typeof policy === "object" ? settings.get(policy) : undefined;
  return known ?? { kind: "" };
}

// judge asks the function at a place of a definition's policies.
export function judge(call, definition, index, after) {
  const f = definition.auth[index], request = requestOf(call.id, parse(call.text));
  return after(call, apply(f, undefined, [request]), judged);
}

function judged(_, who) {
  if (who === null || who === undefined) return "null";
  if (!isPrincipal(who)) throw new TypeError("a policy gives null, or a principal " + principalForm + ": " + principalFault(who));
  return stringify(who);
}
