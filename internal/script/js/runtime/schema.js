// Schemas of every kind: told apart, turned into JSON Schema, and used to parse.
import { bdk } from "./bridge.js";
import { apply, Error, push, String } from "./primordials.js";
import { fromZod3, isZod3 } from "./zod3.js";
import { fastOf, miss } from "./zod3fast.js";

// converters are the toJSONSchema of each copy of Zod 4 in the bundle.
const converters = [];
bdk.zod4 = (get) => push(converters, get);

const isZod4 = (s) => s !== null && typeof s === "object" && "_zod" in s;

// isSchema knows what can parse: Zod and any other Standard Schema.
export const isSchema = (s) =>
  s !== null && (typeof s === "object" || typeof s === "function") && (s["~standard"] !== undefined || isZod4(s) || isZod3(s));

// toJSONSchema gives {schema, vendor}. It throws for what JSON cannot describe.
export function toJSONSchema(s, io = "input") {
  if (isZod4(s)) return { schema: zod4(s, io), vendor: "zod" };
  if (isZod3(s)) return { schema: fromZod3(s, io), vendor: "zod" };
  const standard = s["~standard"];
  const convert = standard?.jsonSchema?.[io];
  if (typeof convert === "function") {
    return { schema: clean(apply(convert, standard.jsonSchema, [{ target: "draft-2020-12" }])), vendor: String(standard.vendor) };
  }
  const own = s.toJSONSchema ?? s.toJsonSchema;
  if (typeof own === "function") return { schema: clean(apply(own, s, [])), vendor: String(standard.vendor) };
  throw new Error(`a schema of ${standard?.vendor ?? "an unknown library"} cannot be turned into JSON Schema; use Zod or plain JSON Schema`);
}

function zod4(s, io) {
  const get = converters[converters.length - 1];
  const convert = get ? get() : (x, o) => x.toJSONSchema(o);
  return clean(convert(s, { io, override }));
}

// override takes out the patterns that Zod adds to a format of its own: the format
// says it all, and Zod 3 writes no more.
function override({ zodSchema, jsonSchema }) {
  if (typeof jsonSchema.pattern !== "string" || jsonSchema.format === undefined) return;
  const def = zodSchema._zod.def, checks = def.checks ?? [];
  for (let i = -1; i < checks.length; i++) {
    const own = i < 0 ? def : checks[i]?._zod?.def;
    if (own?.check === "string_format" && own.format !== "regex" && own.pattern?.source === jsonSchema.pattern) delete jsonSchema.pattern;
  }
}

// clean drops what is for libraries only.
function clean(schema) {
  const { $schema, "~standard": _, ...rest } = schema;
  return rest;
}

// validate parses a value: {value} or {issues}, or a promise of one of them.
// What is no schema lets everything pass; plain JSON Schema is Go's to check.
export function validate(schema, value) {
  const standard = schema?.["~standard"];
  if (standard) return standard.validate(value);
  if (typeof schema?.safeParse === "function") {
    const r = schema.safeParse(value);
    return r.success ? { value: r.data } : { issues: r.error.issues };
  }
  return { value };
}

// validateInput parses what came as JSON.
export function validateInput(schema, value) {
  const fast = fastOf(schema);
  if (fast) {
    const parsed = fast(value);
    if (parsed !== miss) return { value: parsed };
  }
  return validate(schema, value);
}

// pathText writes an issue's path as a.b[0].
export function pathText(path) {
  let text = "";
  for (let i = 0; i < (path?.length ?? 0); i++) {
    const part = path[i], key = part !== null && typeof part === "object" && "key" in part ? part.key : part;
    if (typeof key === "number") text += `[${key}]`;
    else text += (text ? "." : "") + String(key);
  }
  return text;
}
