// The matchers of tools, subagents and events: what they may name, and what they find.
import { mismatch, sure } from "./match.js";
import { kindOf, show, times } from "./show.js";

const statuses = ["completed", "failed", "pending", "rejected"];

const isCount = (x) => typeof x === "function" || (Number.isInteger(x) && x >= 0);

// taken gives a matcher of one of the parts that its kind has, without what is undefined.
function taken(what, parts, given) {
  if (given === undefined) return {};
  if (given === null || typeof given !== "object" || Array.isArray(given) || given instanceof RegExp) throw new TypeError(`${what} takes a matcher {${parts.join(", ")}}, not ${kindOf(given)}`);
  const matcher = {};
  for (const key of Object.keys(given)) {
    if (!parts.includes(key)) throw new TypeError(`a matcher of ${what} has no ${JSON.stringify(key)}: it may have ${parts.join(", ")}`);
    if (given[key] !== undefined) matcher[key] = given[key];
  }
  const { status, count } = matcher;
  if (typeof status === "string" && !statuses.includes(status)) throw new TypeError(`status of ${what} is one of ${statuses.join(", ")}, not ${JSON.stringify(status)}`);
  if (count !== undefined && !isCount(count)) throw new TypeError(`count of ${what} is a whole number, or a predicate, not ${kindOf(count)}`);
  return matcher;
}

export const toolMatcher = (what, given) => taken(what, ["input", "output", "status", "count"], given);
export const subagentMatcher = (what, given) => taken(what, ["output", "status", "callId", "count"], given);
export const eventMatcher = (what, given) => taken(what, ["data", "count"], given);

let types;

// eventType refuses a type that no event of a session has: what never happens would
// hold for ever in notEvent.
export function eventType(what, type) {
  types ??= new Set(JSON.parse(__bdk.sync("eval.types")));
  if (typeof type !== "string" || !types.has(type)) throw new TypeError(`${what} needs the type of an event, such as "turn.completed", not ${kindOf(type)}`);
  return type;
}

export function toolName(what, name) {
  if (typeof name !== "string" || name === "") throw new TypeError(`${what} needs a name, not ${kindOf(name)}`);
  return name;
}

// find gives the candidates that fit all parts of a matcher but its count. unsure is
// why nobody can say it of one, why what kept the last from fitting.
export function find(candidates, { count: _, ...parts }) {
  const names = Object.keys(parts), found = [];
  let why = "", unsure = "";
  for (const candidate of candidates) {
    const { miss, doubt } = sure(() => firstMiss(parts, names, candidate));
    if (doubt) unsure = doubt;
    else if (miss) why = miss;
    else found.push(candidate);
  }
  return { found, why, unsure };
}

function firstMiss(parts, names, candidate) {
  for (const name of names) {
    const miss = mismatch(parts[name], candidate[name], name);
    if (miss) return miss;
  }
  return "";
}

// counted says whether that many fit, as text for a miss: at least one, or the count.
function counted(n, count) {
  if (count === undefined) return n > 0 ? "" : "once or more";
  if (typeof count === "function") return mismatch(count, n, "count") ? "as often as the predicate of count wants" : "";
  return n === count ? "" : times(count);
}

// missing says why candidates do not hold what a matcher wants, empty where they do.
// subject names them, verb what they did.
export function missing(candidates, matcher, subject, others) {
  const { found, why, unsure } = find(candidates, matcher);
  if (unsure && (matcher.count !== undefined || found.length === 0)) return unsure;
  const { miss: wanted, doubt } = sure(() => counted(found.length, matcher.count));
  if (doubt) return doubt;
  if (!wanted) return "";
  if (candidates.length === 0) return `${subject}: never${others ? ` (${others})` : ""}, expected ${wanted}`;
  if (found.length === candidates.length) return `${subject}: ${times(found.length)}, expected ${wanted}`;
  return `${subject}: ${times(candidates.length)}, ${found.length} of them fitting, expected ${wanted}${why ? `: ${why}` : ""}`;
}

// present says which candidates fit a matcher that none may fit, empty where none does.
export function present(candidates, matcher, subject) {
  const { found, unsure } = find(candidates, matcher);
  if (unsure) return unsure;
  const { miss, doubt = "" } = sure(() => counted(found.length, matcher.count));
  if (doubt || miss) return doubt;
  return `${subject}: ${times(found.length)}${found.length > 0 ? `, such as with ${show(sample(found[0]))}` : ""}`;
}

const sample = (x) => x.input ?? x.data ?? x.output ?? {};
