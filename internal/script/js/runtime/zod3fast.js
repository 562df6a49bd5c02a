// Input that fits is parsed here for the schemas of Zod 3 that are made of plain
// kinds: Zod itself builds three objects for each value that it looks at. What
// does not fit, and every schema with code of its author's, is Zod's to parse,
// which also says what is wrong. A test holds both against each other.
import { apply, getPrototypeOf, hasOwn, isArray, isFinite, isInteger, keys, objectPrototype, push, RegExp, Table, WeakTable } from "./primordials.js";
import { isZod3 } from "./zod3.js";

// miss says that a value does not fit, or cannot be told here.
export const miss = { miss: true };

const made = new WeakTable();

// fastOf gives the parser of a schema, undefined for one that has none.
export function fastOf(schema) {
  if (!isZod3(schema)) return undefined;
  let f = made.get(schema);
  if (f === undefined) {
    f = build(schema, 0) ?? null;
    made.set(schema, f);
  }
  return f ?? undefined;
}

// deepest bounds how far schemas are looked into: one may hold itself.
const deepest = 20;

function build(schema, depth) {
  if (depth > deepest || !isZod3(schema) || !isPlainClass(schema)) return undefined;
  const make = kinds[schema._def.typeName];
  return make?.(schema._def, schema, (inner) => build(inner, depth + 1));
}

// isPlainClass knows a class of Zod's own: what descends from it may parse otherwise.
function isPlainClass(schema) {
  const base = getPrototypeOf(getPrototypeOf(schema));
  return base !== null && hasOwn(base, "_parseSync") && getPrototypeOf(base) === objectPrototype && !hasOwn(schema, "_parse");
}

const isPlainObject = (v) => v !== null && typeof v === "object" && !isArray(v) && (getPrototypeOf(v) === objectPrototype || getPrototypeOf(v) === null);

// asked lets Zod parse a value that can be parsed without effects, such as a text in a format.
const asked = (schema) => (v) => {
  const r = schema.safeParse(v);
  return r.success ? r.data : miss;
};

function string(def, schema) {
  const list = def.checks ?? [];
  if (def.coerce) return asked(schema);
  let least = 0, most = Infinity;
  const patterns = [];
  for (let i = 0; i < list.length; i++) {
    const c = list[i];
    if (c.kind === "min") least = c.value > least ? c.value : least;
    else if (c.kind === "max") most = c.value < most ? c.value : most;
    else if (c.kind === "length") least = most = c.value;
    else if (c.kind === "regex" && !c.regex.global && !c.regex.sticky) push(patterns, c.regex);
    else return asked(schema);
  }
  return (v) => {
    if (typeof v !== "string" || v.length < least || v.length > most) return miss;
    for (let i = 0; i < patterns.length; i++) if (!apply(test, patterns[i], [v])) return miss;
    return v;
  };
}
const { test } = RegExp.prototype;

function number(def, schema) {
  const list = def.checks ?? [];
  if (def.coerce) return asked(schema);
  for (let i = 0; i < list.length; i++) if (list[i].kind === "multipleOf") return asked(schema);
  return (v) => {
    if (typeof v !== "number" || v !== v) return miss;
    for (let i = 0; i < list.length; i++) {
      const c = list[i];
      if (c.kind === "int" ? !isInteger(v) : c.kind === "finite" ? !isFinite(v)
        : c.kind === "min" ? (c.inclusive ? v < c.value : v <= c.value) : c.inclusive ? v > c.value : v >= c.value) return miss;
    }
    return v;
  };
}

function array(def, _, inner) {
  const item = inner(def.type);
  if (!item) return undefined;
  const least = def.exactLength?.value ?? def.minLength?.value ?? 0, most = def.exactLength?.value ?? def.maxLength?.value ?? Infinity;
  if (def.exactLength && (def.minLength || def.maxLength)) return undefined;
  return (v) => {
    if (!isArray(v) || v.length < least || v.length > most) return miss;
    const out = [];
    for (let i = 0; i < v.length; i++) {
      const x = item(v[i]);
      if (x === miss) return miss;
      push(out, x);
    }
    return out;
  };
}

function object(def, schema, inner) {
  const shape = def.shape(), names = keys(shape), parsers = [], known = { __proto__: null };
  if (def.catchall?._def?.typeName !== "ZodNever" || !isPlainClass(def.catchall)) return undefined;
  for (let i = 0; i < names.length; i++) {
    const f = names[i] === "__proto__" ? undefined : inner(shape[names[i]]);
    if (!f) return undefined;
    push(parsers, f);
    known[names[i]] = true;
  }
  const { unknownKeys } = def;
  if (unknownKeys !== "strip" && unknownKeys !== "strict" && unknownKeys !== "passthrough") return undefined;
  return (v) => {
    if (!isPlainObject(v)) return miss;
    const out = {};
    for (let i = 0; i < names.length; i++) {
      const key = names[i], x = parsers[i](v[key]);
      if (x === miss) return miss;
      if (x !== undefined || key in v) out[key] = x;
    }
    return unknownKeys === "strip" ? out : others(v, out, known, unknownKeys);
  };
}

// others are the keys that the shape does not name.
function others(v, out, known, how) {
  for (const key in v) {
    if (known[key]) continue;
    if (how === "strict") return miss;
    if (key !== "__proto__" && v[key] !== undefined) out[key] = v[key];
  }
  return out;
}

function record(def, _, inner) {
  const name = inner(def.keyType), item = inner(def.valueType);
  if (!name || !item) return undefined;
  return (v) => {
    if (!isPlainObject(v)) return miss;
    const out = {};
    for (const key in v) {
      const k = name(key), x = item(v[key]);
      if (k === miss || x === miss) return miss;
      if (k !== "__proto__") out[k] = x;
    }
    return out;
  };
}

function union(def, _, inner) {
  const options = [];
  for (let i = 0; i < def.options.length; i++) {
    const f = inner(def.options[i]);
    if (!f) return undefined;
    push(options, f);
  }
  return (v) => {
    for (let i = 0; i < options.length; i++) {
      const x = options[i](v);
      if (x !== miss) return x;
    }
    return miss;
  };
}

function discriminated(def, _, inner) {
  const options = new Table();
  let whole = true;
  def.optionsMap.forEach((schema, value) => {
    const f = inner(schema);
    if (f) options.set(value, f);
    else whole = false;
  });
  if (!whole) return undefined;
  return (v) => (isPlainObject(v) ? options.get(v[def.discriminator])?.(v) ?? miss : miss);
}

const is = (type) => (def, schema) => (def.coerce ? asked(schema) : (v) => (typeof v === type ? v : miss));
const through = (around) => (def, _, inner) => {
  const f = inner(def.innerType);
  return f && around(f, def);
};

const kinds = {
  __proto__: null,
  ZodString: string, ZodNumber: number, ZodArray: array, ZodObject: object, ZodRecord: record, ZodUnion: union, ZodDiscriminatedUnion: discriminated,
  ZodBoolean: is("boolean"),
  ZodAny: () => (v) => v,
  ZodUnknown: () => (v) => v,
  ZodNull: () => (v) => (v === null ? null : miss),
  ZodLiteral: (def) => (v) => (v === def.value ? v : miss),
  ZodEnum(def) {
    const values = new Table();
    for (let i = 0; i < def.values.length; i++) values.set(def.values[i], true);
    return (v) => (typeof v === "string" && values.has(v) ? v : miss);
  },
  ZodNativeEnum: (_, schema) => asked(schema),
  ZodBranded: (def, _, inner) => inner(def.type),
  ZodOptional: through((f) => (v) => (v === undefined ? undefined : f(v))),
  ZodNullable: through((f) => (v) => (v === null ? null : f(v))),
  ZodDefault: through((f, def) => (v) => f(v === undefined ? def.defaultValue() : v)),
};
