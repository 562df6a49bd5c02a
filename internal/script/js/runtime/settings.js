// The settings of an extension, held against the schema of its author. What is said
// of a fault has the path of the setting, and never a value: it may be a secret.
import { bdk, sync } from "./bridge.js";
import { issuesOf, issuesText } from "./errors.js";
import { find, cut, isArray, isThenable, keys, parse, push, String, stringify, TypeError } from "./primordials.js";
import { isSchema, validate } from "./schema.js";

bdk.settings = (schema, given) => {
  if (given === null || typeof given !== "object" || isArray(given)) throw refusal("an extension is given its settings as one object");
  if (schema === undefined) return none(given);
  let result;
  try {
    result = isSchema(schema) ? validate(schema, given) : plain(schema, given);
  } catch (e) {
    throw refusal("the extension's settings could not be checked: " + hidden(String(e?.message ?? e), given));
  }
  if (isThenable(result)) throw refusal("the config of an extension must be a schema that parses at once");
  if (result.issues) throw refusal("the extension's settings do not fit: " + hidden(issuesText(issuesOf(result.issues)), given));
  return result.value;
};

// refusal is an error that Go tells apart.
function refusal(message) {
  const e = new TypeError(message);
  e.bdkCode = "extension_settings";
  return e;
}

function none(given) {
  const names = keys(given);
  if (names.length > 0) throw refusal(`the extension takes no settings, and is given ${names[0]}`);
  return undefined;
}

// plain holds settings against JSON Schema.
function plain(schema, given) {
  const text = sync("settings.issues", stringify(schema), stringify(given));
  return text === "" ? { value: given } : { issues: parse(text) };
}

// hidden takes the values of the settings out of a message, the longest first.
function hidden(text, given) {
  const values = [];
  leaves(given, values, 0);
  values.sort((a, b) => b.length - a.length);
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (v.length >= 4) text = without(text, v, "…");
    else if (v.length > 0) text = without(without(text, `'${v}'`, "'…'"), `"${v}"`, '"…"');
  }
  return text;
}

function leaves(value, out, depth) {
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") push(out, String(value));
  if (typeof value === "string") push(out, cut(stringify(value), 1, -1)); // as JSON shows it
  if (value === null || typeof value !== "object" || depth > 16) return;
  const names = keys(value);
  for (let i = 0; i < names.length; i++) leaves(value[names[i]], out, depth + 1);
}

function without(text, part, instead) {
  let out = "";
  for (let at = find(text, part); at >= 0; at = find(text, part)) {
    out += cut(text, 0, at) + instead;
    text = cut(text, at + part.length);
  }
  return out + text;
}
