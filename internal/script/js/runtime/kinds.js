// What made an object: defineTool marks a tool, defineAgent an agent, and so on.
import { bdk } from "./bridge.js";
import { cut, isArray, TypeError, upper, WeakTable } from "./primordials.js";

const kinds = new WeakTable();

// mark notes the kind of a definition and gives it back as it is.
export function mark(kind, definition) {
  if (definition === null || (typeof definition !== "object" && typeof definition !== "function")) {
    throw new TypeError(`define${upper(kind[0])}${cut(kind, 1)} needs an object, not ${definition === null ? "null" : typeof definition}`);
  }
  kinds.set(definition, kind);
  return definition;
}

// kindOf names what a default export is.
export function kindOf(value) {
  if (value === undefined) return "none";
  if (typeof value === "string") return "string";
  if (typeof value === "function" || (typeof value === "object" && value !== null)) {
    const kind = kinds.get(value);
    if (kind) return kind;
    if (typeof value === "function") return "function";
    if (areEvals(value)) return "evals";
  }
  return "value";
}

// areEvals says whether it is an array of evals and of nothing else.
function areEvals(value) {
  if (!isArray(value) || value.length === 0) return false;
  for (let i = 0; i < value.length; i++) if (typeof value[i] !== "object" || value[i] === null || kinds.get(value[i]) !== "eval") return false;
  return true;
}

bdk.mark = mark;
