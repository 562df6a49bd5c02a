// The modules of the project: each is evaluated on its own, and told to Go as data.
import { asBytes, bdk, sync, toWire } from "./bridge.js";
import { describe, issuesOf, issuesText } from "./errors.js";
import { kindOf } from "./kinds.js";
import { descriptor, Error, getPrototypeOf, isArray, isFinite, keys, Map, objectPrototype, push, RegExp, rawJSON, Set, stringify, Table } from "./primordials.js";
import { fastOf } from "./zod3fast.js";
import { isSchema, toJSONSchema, validate } from "./schema.js";

bdk.validate = validate;
bdk.fastOf = fastOf;
bdk.issuesText = (issues) => issuesText(issuesOf(issues));

const loaded = new Table();

// exportOf gives the default export of a module that loaded.
export function exportOf(id) {
  if (!loaded.has(id)) throw new Error(`the module ${id} is not loaded`);
  return loaded.get(id);
}

// moduleOf gives the id of the module whose default export it is; undefined: of none.
export function moduleOf(value) {
  let found;
  loaded.forEach((x, id) => { if (x === value && x !== undefined) found ??= id; });
  return found;
}

// modules are the bundle's, by id, each behind an import of its own.
const modules = new Table();
bdk.entries.load = (list) => {
  for (let i = 0; i < list.length; i++) modules.set(list[i][0], list[i][1]);
};

// loadModule evaluates one module and says what it is, or why it is nothing.
bdk.entries.loadModule = async (id) => {
  try {
    const exports = await modules.get(id)();
    const value = defaultOf(exports);
    const kind = kindOf(value);
    const spec = stringify(kind === "none" ? namesOf(exports) : specOf(value, kind)) ?? "null";
    loaded.set(id, value);
    sync("load.module", id, kind, spec);
  } catch (e) {
    sync("load.failed", id, describe(e));
  }
};

// defaultOf gives the default export. A file without import and export is
// bundled as a script that exports an empty object: that one has none.
function defaultOf(exports) {
  const d = descriptor(exports, "default");
  if (d !== undefined && d.get === undefined && isEmptyObject(d.value)) return undefined;
  return exports.default;
}

const isEmptyObject = (x) => x !== null && typeof x === "object" && getPrototypeOf(x) === objectPrototype && keys(x).length === 0;

// namesOf lists the exports of a file that has no default one.
function namesOf(exports) {
  const names = keys(exports), out = [];
  for (let i = 0; i < names.length; i++) if (names[i] !== "default") push(out, names[i]);
  return out;
}

// plainSchemas are the fields in which an object without a library is JSON Schema.
const plainSchemas = { tool: ["inputSchema", "outputSchema"], result: ["schema"] };

// specOf turns a default export into data for Go.
function specOf(value, kind) {
  if (typeof value === "function") return { $fn: true };
  if (kind === "eval" || kind === "evals" || kind === "evalConfig") return evalSpec(value);
  const spec = data(value, new Table(), ""), plain = plainSchemas[kind] ?? [];
  for (let i = 0; i < plain.length; i++) {
    const key = plain[i], s = value?.[key];
    if (s !== null && typeof s === "object" && !isSchema(s)) spec[key] = { $schema: data(s, new Table(), key), vendor: "json-schema" };
  }
  const lost = kind === "channel" && value?.state !== undefined && typeof value.state !== "function" ? lostIn(value.state, "state", new Table()) : "";
  if (lost) spec.state = { $lost: lost };
  return spec;
}

// evalSpec is the data of evals, and of their config. Reporters may be of a class, whose
// methods are no fields: {reporter: "custom", …} has those that are called.
function evalSpec(value) {
  const spec = data(value, new Table(), "");
  const list = isArray(value) ? value : [value], specs = isArray(value) ? spec : [spec];
  for (let i = 0; i < list.length; i++) withReporters(list[i], specs[i]);
  return spec;
}

function withReporters(value, spec) {
  const { reporters, cases } = value;
  if (isArray(reporters)) spec.reporters = reportersData(reporters);
  for (let i = 0; isArray(cases) && i < cases.length; i++) {
    if (cases[i] !== null && typeof cases[i] === "object") withReporters(cases[i], spec.cases[i]);
  }
}

const reporterMethods = ["onRunStart", "onEvalComplete", "onRunComplete"];

function reportersData(list) {
  const out = [];
  for (let i = 0; i < list.length; i++) {
    const r = list[i], plain = r === null || typeof r !== "object" || r.reporter === "junit" || r.reporter === "artifacts";
    push(out, plain ? data(r, new Table(), "") : customReporter(r));
  }
  return out;
}

function customReporter(r) {
  const out = { reporter: "custom" };
  for (let i = 0; i < reporterMethods.length; i++) {
    const name = reporterMethods[i], f = r[name];
    if (f !== undefined) out[name] = data(f, new Table(), "");
  }
  return out;
}

// lostIn says what of a value JSON would lose or change; empty for nothing.
function lostIn(value, path, open) {
  if (typeof value === "function" || typeof value === "symbol") return `${path} is a ${typeof value}`;
  if (typeof value === "number" && !isFinite(value)) return `${path} is ${value}`;
  if (value === null || typeof value !== "object") return "";
  if (open.has(value)) return `${path} holds itself`;
  if (typeof value.toJSON === "function") return "";
  if (value instanceof Map || value instanceof Set || value instanceof RegExp || asBytes(value)) return `${path} is a ${value.constructor?.name ?? "value of its own"}`;
  open.set(value, true);
  const names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const lost = lostIn(value[names[i]], isArray(value) ? `${path}[${names[i]}]` : `${path}.${names[i]}`, open);
    if (lost) return lost;
  }
  open.delete(value);
  return "";
}

function data(value, open, path) {
  if (typeof value === "function") return isSchema(value) ? schemaData(value, path) : { $fn: true };
  if (typeof value === "bigint") return rawJSON(`${value}`);
  if (typeof value === "symbol") return undefined;
  if (value === null || typeof value !== "object") return value;
  if (isSchema(value)) return schemaData(value, path);
  if (value instanceof RegExp) return { $regexp: value.source, flags: value.flags };
  const bytes = asBytes(value);
  if (bytes) return { base64: toWire(bytes) };
  if (typeof value.toJSON === "function") return value.toJSON();
  if (open.has(value)) return undefined; // a cycle
  open.set(value, true);
  const out = isArray(value) ? items(value, open, path) : fields(value, open, path);
  open.delete(value);
  return out;
}

function items(list, open, path) {
  const out = [];
  for (let i = 0; i < list.length; i++) push(out, data(list[i], open, `${path}[${i}]`));
  return out;
}

function fields(value, open, path) {
  const out = {}, names = keys(value);
  for (let i = 0; i < names.length; i++) {
    const key = names[i], x = data(value[key], open, path ? `${path}.${key}` : key);
    if (x !== undefined) out[key] = x;
  }
  return out;
}

// schemaData throws where a tool's schema has no JSON Schema, which the model is
// shown. Others say what is wrong, for whoever needs it.
function schemaData(schema, path) {
  try {
    const { schema: $schema, vendor } = toJSONSchema(schema, path === "outputSchema" ? "output" : "input");
    return { $schema, vendor };
  } catch (e) {
    if (path !== "inputSchema" && path !== "outputSchema") return { vendor: String(schema["~standard"]?.vendor ?? "zod"), error: String(e?.message ?? e) };
    const error = new Error(`${path || "the schema"} cannot be given as JSON Schema: ${e?.message ?? e}`);
    error.bdkFix = "use types that JSON has (a date as z.string(), say), or give plain JSON Schema";
    throw error;
  }
}
