// frozen gives the event of a log's line, of which nothing can be changed. The
// hooks of one event come one after the other and see the same object.
import { freeze, keys, parse, push } from "./primordials.js";

let line, event;

export function frozen(text) {
  if (text !== line) {
    event = deepFreeze(parse(text));
    line = text;
  }
  return event;
}

// deepFreeze keeps a list of its own, so that depth costs no stack.
function deepFreeze(root) {
  const open = [root];
  for (let i = 0; i < open.length; i++) {
    const value = open[i];
    if (value === null || typeof value !== "object") continue;
    freeze(value);
    const names = keys(value);
    for (let j = 0; j < names.length; j++) push(open, value[names[j]]);
  }
  return root;
}
