// Who calls, or owns a session: {kind, id, issuer?, tenant?}.
import { kindOf } from "./kv.js";
import { isArray, keys, stringify, trim } from "./primordials.js";

const fields = { __proto__: null, kind: 1, id: 1, issuer: 2, tenant: 2 };

export const principalForm = "{kind, id, issuer?, tenant?} with texts in it";

const isText = (x) => typeof x === "string" && trim(x) !== "";

// isPrincipal holds a value against the form, and takes no other field.
export const isPrincipal = (x) => principalFault(x) === "";

// principalFault says which of its fields does not fit; empty where all do.
export function principalFault(x) {
  if (x === null || typeof x !== "object" || isArray(x)) return typeof x === "string" ? "it is a text" : "it is " + kindOf(x); // a text may be a secret
  if (!isText(x.kind)) return "its kind is " + kindOf(x.kind);
  if (!isText(x.id)) return "its id is " + kindOf(x.id);
  const names = keys(x);
  for (let i = 0; i < names.length; i++) {
    const name = names[i], value = x[name];
    if (fields[name] === undefined) return `it has ${stringify(name)}, which is no part of it`;
    if (value !== undefined && !isText(value)) return `its ${name} is ${kindOf(value)}`;
  }
  return "";
}
