// The order of calls and of events: others may come between.
import { mismatch, sure } from "./match.js";
import { eventMatcher, eventType } from "./matchers.js";
import { kindOf, show } from "./show.js";

// outOfOrder says which of the names does not follow on those before it.
export function outOfOrder(names, wanted) {
  let at = 0;
  for (let i = 0; i < wanted.length; i++) {
    const next = names.indexOf(wanted[i], at);
    if (next < 0) return `${wanted[i]} was not called${i > 0 ? ` after ${wanted.slice(0, i).join(", ")}` : ""}; called: ${names.join(", ") || "none"}`;
    at = next + 1;
  }
  return "";
}

// groupsOf reads the matchers of eventOrder: a type, {type, data?, count?}, or an array
// of those, which may come in any order among themselves.
export function groupsOf(given) {
  if (!Array.isArray(given) || given.length === 0) throw new TypeError(`eventOrder needs an array of types or matchers, not ${kindOf(given)}`);
  return given.map((group) => (Array.isArray(group) ? group.map(member) : [member(group)]));
}

function member(given) {
  if (typeof given === "string") return { type: eventType("eventOrder", given), count: 1 };
  if (given === null || typeof given !== "object") throw new TypeError(`eventOrder needs types or matchers {type, data?, count?}, not ${kindOf(given)}`);
  const { type, ...rest } = given, { data, count = 1 } = eventMatcher("eventOrder", rest);
  if (!Number.isInteger(count) || count < 1) throw new TypeError(`count in eventOrder is a whole number from 1, not ${kindOf(count)}`);
  return { type: eventType("eventOrder", type), data, count };
}

// groupsOutOfOrder says which group has no place after those before it.
export function groupsOutOfOrder(events, groups) {
  let from = 0;
  for (const group of groups) {
    const taken = new Set();
    let end = from;
    for (const wanted of group) {
      const last = takeNext(events, from, wanted, taken);
      if (typeof last === "string") return last;
      end = Math.max(end, last + 1);
    }
    from = end;
  }
  return "";
}

function takeNext(events, from, wanted, taken) {
  let left = wanted.count;
  for (let i = from; i < events.length; i++) {
    if (taken.has(i) || events[i].type !== wanted.type) continue;
    const { miss, doubt } = sure(() => wanted.data !== undefined && mismatch(wanted.data, events[i].data));
    if (doubt) return doubt;
    if (miss) continue;
    taken.add(i);
    if (--left === 0) return i;
  }
  const { type, data, count } = wanted, what = data === undefined ? type : `${type} with ${show(data)}`;
  return `${what} did not come ${count > 1 ? `${count} times ` : ""}in its place${from > 0 ? `, after the event ${events[from - 1].index} (${events[from - 1].type})` : ""}`;
}
