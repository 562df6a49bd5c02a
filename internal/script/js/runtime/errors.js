// describe puts whatever was thrown into the words that reach a model and a person.
import { AggregateError, defineProperty, isArray, join, objectText, push, String, stringify } from "./primordials.js";
import { pathText } from "./schema.js";

// describe gives JSON for Go: the message for people, the stack for the log alone.
export function describe(e, kind = "error") {
  const d = { kind, name: "Error", message: "", stack: "" };
  try {
    fill(d, e);
  } catch (inner) {
    d.message = "an error that cannot be read: " + inner?.message;
  }
  return stringify(d);
}

function fill(d, e) {
  if (e === null || (typeof e !== "object" && typeof e !== "function")) {
    d.message = e === undefined ? "undefined was thrown" : String(e);
    d.empty = e === null; // the engine throws it where it has no memory left for an error
    return;
  }
  d.name = typeof e.name === "string" ? e.name : "Error";
  d.stack = typeof e.stack === "string" ? e.stack : "";
  if (typeof e.bdkCode === "string") d.code = e.bdkCode;
  if (typeof e.bdkFix === "string") d.fix = e.bdkFix;
  if (isValidation(e)) {
    d.issues = issuesOf(e.issues);
    d.message = "invalid value: " + issuesText(d.issues);
    return;
  }
  if (typeof e.message === "string") d.message = e.message || d.name;
  else if (e.message !== undefined) d.message = String(e.message);
  else d.message = plain(e);
  if (e instanceof AggregateError && isArray(e.errors) && !e.message) {
    d.message = join(each(e.errors, (x) => x?.message ?? String(x)), "; ");
  }
}

// isValidation knows a ZodError, of either version, by its shape.
const validations = { __proto__: null, ZodError: true, $ZodError: true, ZodRealError: true, SchemaError: true, ValiError: true };
const isValidation = (e) => isArray(e.issues) && typeof e.name === "string" && validations[e.name] === true;

// captureStackTrace is what many classes of errors ask for.
if (!globalThis.Error.captureStackTrace) {
  defineProperty(globalThis.Error, "captureStackTrace", {
    value(object) { defineProperty(object, "stack", { value: new globalThis.Error().stack, writable: true, configurable: true }); },
    writable: true, configurable: true,
  });
  globalThis.Error.stackTraceLimit ??= 10;
}

// each is a list's map.
function each(list, f) {
  const out = [];
  for (let i = 0; i < list.length; i++) push(out, f(list[i]));
  return out;
}

export const issuesOf = (issues) => each(issues, (i) => ({ path: pathText(i.path), message: String(i.message ?? "does not fit") }));

// issuesText lists issues in one line.
export const issuesText = (issues) => join(each(issues, (i) => (i.path ? i.path + ": " : "") + i.message), "; ");

function plain(e) {
  try {
    return stringify(e) ?? String(e);
  } catch {
    return objectText(e);
  }
}
