// describe puts whatever was thrown into the words that reach a model and a person.
import { pathText } from "./schema.js";

// describe gives JSON for Go: the message for people, the stack for the log alone.
export function describe(e, kind = "error") {
  const d = { kind, name: "Error", message: "", stack: "" };
  try {
    fill(d, e);
  } catch (inner) {
    d.message = "an error that cannot be read: " + inner?.message;
  }
  return JSON.stringify(d);
}

function fill(d, e) {
  if (e === null || (typeof e !== "object" && typeof e !== "function")) {
    d.message = e === undefined ? "undefined was thrown" : String(e);
    return;
  }
  d.name = typeof e.name === "string" ? e.name : "Error";
  d.stack = typeof e.stack === "string" ? e.stack : "";
  if (typeof e.bdkCode === "string") d.code = e.bdkCode;
  if (typeof e.bdkFix === "string") d.fix = e.bdkFix;
  if (isValidation(e)) {
    d.issues = issuesOf(e.issues);
    d.message = issuesText(d.issues);
    return;
  }
  if (typeof e.message === "string") d.message = e.message || d.name;
  else if (e.message !== undefined) d.message = String(e.message);
  else d.message = plain(e);
  if (e instanceof AggregateError && Array.isArray(e.errors) && !e.message) {
    d.message = e.errors.map((x) => x?.message ?? String(x)).join("; ");
  }
}

// isValidation knows a ZodError, of either version, by its shape.
const isValidation = (e) => Array.isArray(e.issues) && /^(\$?ZodError|ZodRealError|SchemaError|ValiError)$/.test(e.name);

export const issuesOf = (issues) =>
  issues.map((i) => ({ path: pathText(i.path), message: String(i.message ?? "does not fit") }));

export const issuesText = (issues) =>
  "invalid value: " + issues.map((i) => (i.path ? i.path + ": " : "") + i.message).join("; ");

function plain(e) {
  try {
    return JSON.stringify(e) ?? String(e);
  } catch {
    return Object.prototype.toString.call(e);
  }
}
