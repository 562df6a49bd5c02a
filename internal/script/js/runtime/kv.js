// ctx.host.kv: one space per agent, synced before a promise resolves.
import { async } from "./bridge.js";
import { encode } from "./json.js";
import { hasOwn, isArray, isInteger, join, keys, parse, String, stringify, TypeError } from "./primordials.js";

const retries = 20;

const putOptions = {
  ttlSeconds: { wants: "a number above 0 and at most 9e9", fits: (x) => typeof x === "number" && x > 0 && x <= 9e9 },
  ifVersion: { wants: "a version that get or put gave, or 0 for a key that is not there", fits: (x) => isInteger(x) && x >= 0 },
};
const listOptions = {
  prefix: { wants: "a string", fits: (x) => typeof x === "string" },
  limit: { wants: "a whole number above 0", fits: (x) => isInteger(x) && x > 0 },
  cursor: { wants: "the cursor of an earlier list", fits: (x) => typeof x === "string" },
};

// checked gives options as JSON; what a function does not know, it refuses.
export function checked(name, given, known) {
  if (given === undefined || given === null) return "{}";
  if (typeof given !== "object" || isArray(given)) throw new TypeError(`the options of ${name} are an object with ${join(keys(known), ", ")}`);
  const names = keys(given);
  for (let i = 0; i < names.length; i++) {
    const key = names[i], value = given[key];
    if (!hasOwn(known, key)) throw new TypeError(`${name} has no option ${stringify(key)}: its options are ${join(keys(known), ", ")}`);
    if (value !== undefined && !known[key].fits(value)) throw new TypeError(`${key} of ${name} must be ${known[key].wants}${known[key].fault ? ": " + known[key].fault(value) : ", not " + kindOf(value)}`);
  }
  return stringify(given);
}

// kindOf says what a value is, for whoever meant another.
export function kindOf(value) {
  switch (typeof value) {
    case "string": return value === "" ? "empty" : stringify(value);
    case "function": return "a function";
    case "object": return value === null ? "null" : isArray(value) ? "an array" : "an object";
  }
  return value === undefined ? "missing" : String(value);
}

export function bindKv(call) {
  const ask = (name, a, b, c) => async(call, name, a, b, c);
  const get = async (key) => parse(await ask("kv.get", String(key)));
  const put = async (key, value, options) => {
    if (value === undefined) throw new TypeError("kv.put needs a value; use kv.delete to remove a key");
    const asked = checked("kv.put", options, putOptions);
    return parse(await ask("kv.put", String(key), encode(value, "the value"), asked));
  };
  return {
    // get gives the value, undefined when there is none.
    async get(key) { return (await get(key)).value; },
    // put takes {ttlSeconds?, ifVersion?} and gives {version}.
    put,
    async delete(key) { return await ask("kv.delete", String(key)); },
    // list takes {prefix?, limit?, cursor?} and gives {entries, cursor?}.
    async list(options) { return parse(await ask("kv.list", checked("kv.list", options, listOptions))); },
    // update reads, changes and puts back, again when somebody else was faster.
    async update(key, change) {
      for (let i = 0; ; i++) {
        const { value, version = 0 } = await get(key);
        const next = await change(value);
        try {
          await put(key, next, { ifVersion: version });
          return next;
        } catch (e) {
          if (e?.code !== "version_conflict" || i >= retries) throw e;
        }
      }
    },
  };
}
