// Who calls, or owns a session: {kind, id, issuer?, tenant?}.
import { isArray, keys, trim } from "./primordials.js";

const fields = { __proto__: null, kind: 1, id: 1, issuer: 2, tenant: 2 };

export const principalForm = "{kind, id, issuer?, tenant?} with texts in it";

const isText = (x) => typeof x === "string" && trim(x) !== "";

// isPrincipal holds a value against the form, and takes no other field.
export function isPrincipal(x) {
  if (x === null || typeof x !== "object" || isArray(x) || !isText(x.kind) || !isText(x.id)) return false;
  const names = keys(x);
  for (let i = 0; i < names.length; i++) {
    const value = x[names[i]];
    if (fields[names[i]] === undefined || (value !== undefined && !isText(value))) return false;
  }
  return true;
}
