// The modules of the project: each is evaluated on its own, and told to Go as data.
import { bdk, sync } from "./bridge.js";
import { describe, issuesOf, issuesText } from "./errors.js";
import { kindOf } from "./kinds.js";
import { isSchema, toJSONSchema, validate } from "./schema.js";

bdk.validate = validate;
bdk.issuesText = (issues) => issuesText(issuesOf(issues));

const loaded = new Map();

// exportOf gives the default export of a module that loaded.
export function exportOf(id) {
  if (!loaded.has(id)) throw new Error(`the module ${id} is not loaded`);
  return loaded.get(id);
}

// modules are the bundle's, by id, each behind an import of its own.
let modules = new Map();
bdk.entries.load = (list) => { modules = new Map(list); };

// loadModule evaluates one module and says what it is, or why it is nothing.
bdk.entries.loadModule = async (id) => {
  try {
    const { default: value } = await modules.get(id)();
    const kind = kindOf(value);
    const spec = JSON.stringify(specOf(value, kind)) ?? "null";
    loaded.set(id, value);
    sync("load.module", id, kind, spec);
  } catch (e) {
    sync("load.failed", id, describe(e));
  }
};

// plainSchemas are the fields in which an object without a library is JSON Schema.
const plainSchemas = { tool: ["inputSchema", "outputSchema"], result: ["schema"] };

// specOf turns a default export into data for Go.
function specOf(value, kind) {
  if (typeof value === "function") return { $fn: true };
  const spec = data(value, new Set(), "");
  for (const key of plainSchemas[kind] ?? []) {
    const s = value?.[key];
    if (s !== null && typeof s === "object" && !isSchema(s)) spec[key] = { $schema: data(s, new Set(), key), vendor: "json-schema" };
  }
  return spec;
}

function data(value, open, path) {
  if (typeof value === "function") return isSchema(value) ? schemaData(value, path) : { $fn: true };
  if (typeof value === "bigint") return JSON.rawJSON(value.toString());
  if (typeof value === "symbol") return undefined;
  if (value === null || typeof value !== "object") return value;
  if (isSchema(value)) return schemaData(value, path);
  if (value instanceof RegExp) return { $regexp: value.source, flags: value.flags };
  if (typeof value.toJSON === "function") return value.toJSON();
  if (open.has(value)) return undefined; // a cycle
  open.add(value);
  const out = Array.isArray(value) ? value.map((x, i) => data(x, open, `${path}[${i}]`)) : fields(value, open, path);
  open.delete(value);
  return out;
}

function fields(value, open, path) {
  const out = {};
  for (const key of Object.keys(value)) {
    const x = data(value[key], open, path ? `${path}.${key}` : key);
    if (x !== undefined) out[key] = x;
  }
  return out;
}

function schemaData(schema, path) {
  try {
    const { schema: $schema, vendor } = toJSONSchema(schema, path === "outputSchema" ? "output" : "input");
    return { $schema, vendor };
  } catch (e) {
    const error = new Error(`${path || "the schema"} cannot be given as JSON Schema: ${e?.message ?? e}`);
    error.bdkFix = "use types that JSON has (a date as z.string(), say), or give plain JSON Schema";
    throw error;
  }
}
