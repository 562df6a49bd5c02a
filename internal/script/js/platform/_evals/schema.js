// Schemas of every kind that matches takes.
import { kindOf } from "./show.js";

const { sync, evals } = __bdk;

// words are those of JSON Schema that refuse anything.
const words = new Set(
  ("type enum const properties patternProperties additionalProperties required propertyNames minProperties maxProperties dependentRequired dependentSchemas dependencies " +
    "items prefixItems additionalItems contains minContains maxContains minItems maxItems uniqueItems unevaluatedItems unevaluatedProperties minLength maxLength pattern format " +
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not if $ref $dynamicRef").split(" "),
);

// schemaOf gives a function that says why a value does not fit: a text, empty where it
// fits, or a promise of it.
export function schemaOf(schema) {
  if (typeof schema?.["~standard"]?.validate === "function" || typeof schema?.safeParse === "function") return (value) => parsed(schema, value);
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) throw new TypeError(`matches needs a schema, such as one of Zod's or a JSON Schema, not ${kindOf(schema)}`);
  if (!Object.keys(schema).some((key) => words.has(key))) throw new TypeError("matches needs a schema, and this object has no word of JSON Schema, so any value would fit: use equals for a value, t.calledTool and its like for a part of one");
  const text = evals.encode(schema, "the schema of matches");
  sync("eval.schema", text);
  return (value) => plain(text, value);
}

function parsed(schema, value) {
  const result = validated(schema, value);
  return typeof result?.then === "function" ? result.then(issuesText) : issuesText(result);
}

// validated parses a value; what an older Zod cannot parse at once it parses by and by.
function validated(schema, value) {
  try {
    return __bdk.validate(schema, value);
  } catch (e) {
    if (schema["~standard"] || typeof schema.safeParseAsync !== "function") throw e;
    return schema.safeParseAsync(value).then((r) => (r.success ? {} : { issues: r.error.issues }));
  }
}

const issuesText = (result) => (result?.issues ? __bdk.issuesText(result.issues) || "it does not fit" : "");

function plain(schema, value) {
  if (value === undefined) return "there is no value";
  let text;
  try {
    text = evals.encode(value, "the value");
  } catch (e) {
    return e.message;
  }
  return sync("eval.fits", schema, text);
}
