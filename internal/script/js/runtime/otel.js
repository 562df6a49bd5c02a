// ctx.host.otel: counters, histograms and tags, attributed to the session. They
// are counted at once; there is nothing to await.
import { sync } from "./bridge.js";
import { isArray, isFinite, keys, String, stringify, TypeError } from "./primordials.js";

export function bindOtel(call) {
  return {
    // increment takes a name, how much (1 when left out) and tags; an object in second place is the tags.
    increment(name, n = 1, tags = undefined) {
      if (n !== null && typeof n === "object" && tags === undefined) {
        tags = n;
        n = 1;
      }
      sync("otel.increment", call, named("otel.increment", name), amount("otel.increment", n, true), texts("otel.increment", tags));
    },
    record(name, value, tags = undefined) {
      sync("otel.record", call, named("otel.record", name), amount("otel.record", value, false), texts("otel.record", tags));
    },
    tag(key, value) {
      sync("otel.tag", call, named("otel.tag", key), text("otel.tag", key, value));
    },
  };
}

const show = (x) => (typeof x === "string" ? stringify(x) : String(x));

function named(where, name) {
  if (typeof name !== "string" || name === "") throw new TypeError(`${where} needs a name, a string with text in it, not ${show(name)}`);
  return name;
}

function amount(where, n, counter) {
  if (typeof n === "number" && isFinite(n) && (!counter || n >= 0)) return n;
  throw new TypeError(`${where} needs a number${counter ? " that is not negative" : ""}, not ${show(n)}`);
}

// texts gives tags as JSON of texts; a tag without a value falls away.
function texts(where, tags) {
  if (tags === undefined || tags === null) return "{}";
  if (typeof tags !== "object" || isArray(tags)) throw new TypeError(`the tags of ${where} are an object of texts, not ${show(tags)}`);
  const out = { __proto__: null }, names = keys(tags);
  for (let i = 0; i < names.length; i++) {
    const value = tags[names[i]];
    if (value !== undefined && value !== null) out[names[i]] = text(where, names[i], value);
  }
  return stringify(out);
}

function text(where, key, value) {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return String(value);
  throw new TypeError(`the tag ${stringify(key)} of ${where} is a text, a number, true or false, not ${show(value)}`);
}
