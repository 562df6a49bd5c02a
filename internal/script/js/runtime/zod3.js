// Zod 3 has no JSON Schema of its own, so this writes what Zod 4 writes for the
// same schema (z.toJSONSchema). What JSON cannot describe throws, as it does there.
export const isZod3 = (s) =>
  s !== null && typeof s === "object" && !("_zod" in s) && typeof s._def?.typeName === "string" && s._def.typeName.startsWith("Zod");

// fromZod3 converts; io says whether the parsed ("output") or the sent form is meant.
export function fromZod3(schema, io = "input") {
  return new Converter(io).root(schema);
}

class Converter {
  // open are the schemas being converted, for recursion through z.lazy.
  open = new Map();
  defs = {};

  constructor(io) { this.io = io; }

  root(schema) {
    const out = this.convert(schema);
    const own = this.open.get(schema);
    if (Object.keys(this.defs).length > 0) out.$defs = this.defs;
    return own?.used && own.ref !== "#" ? { ...out } : out;
  }

  convert(schema) {
    const def = schema._def;
    const known = this.open.get(schema);
    if (known) {
      known.used = true;
      return { $ref: known.ref };
    }
    const first = this.open.size === 0;
    const entry = { ref: first ? "#" : `#/$defs/schema${this.open.size}`, used: false };
    this.open.set(schema, entry);
    const make = kinds[def.typeName];
    if (!make) throw new Error(`${def.typeName.replace(/^Zod/, "z.").toLowerCase()} cannot be expressed in JSON Schema`);
    let out = make(this, def, schema);
    if (def.description !== undefined) out = { ...out, description: def.description };
    if (!entry.used) this.open.delete(schema);
    else if (!first) {
      this.defs[entry.ref.slice("#/$defs/".length)] = out;
      return { $ref: entry.ref };
    }
    return out;
  }
}

const formats = {
  email: "email", url: "uri", uuid: "uuid", datetime: "date-time", date: "date", time: "time",
  duration: "duration", base64: "base64", base64url: "base64url", nanoid: "nanoid", cuid: "cuid",
  cuid2: "cuid2", ulid: "ulid", emoji: "emoji", jwt: "jwt", cidr: "cidr",
};

const quote = (s) => s.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

function string(_, def) {
  const out = { type: "string" };
  const patterns = [];
  for (const c of def.checks ?? []) {
    switch (c.kind) {
      case "min": out.minLength = Math.max(out.minLength ?? 0, c.value); break;
      case "max": out.maxLength = Math.min(out.maxLength ?? Infinity, c.value); break;
      case "length": out.minLength = out.maxLength = c.value; break;
      case "regex": patterns.push(c.regex.source); break;
      case "includes": patterns.push(quote(c.value)); break;
      case "startsWith": patterns.push("^" + quote(c.value) + ".*"); break;
      case "endsWith": patterns.push(".*" + quote(c.value) + "$"); break;
      case "ip": if (c.version) out.format = "ip" + c.version; break;
      default: if (formats[c.kind]) out.format = formats[c.kind];
    }
  }
  if (patterns.length === 1) out.pattern = patterns[0];
  else if (patterns.length > 1) out.allOf = patterns.map((pattern) => ({ pattern }));
  return out;
}

function number(_, def) {
  const out = { type: "number" };
  for (const c of def.checks ?? []) {
    switch (c.kind) {
      case "int":
        out.type = "integer";
        break;
      case "min":
        if (c.inclusive) out.minimum = Math.max(out.minimum ?? -Infinity, c.value);
        else out.exclusiveMinimum = Math.max(out.exclusiveMinimum ?? -Infinity, c.value);
        break;
      case "max":
        if (c.inclusive) out.maximum = Math.min(out.maximum ?? Infinity, c.value);
        else out.exclusiveMaximum = Math.min(out.exclusiveMaximum ?? Infinity, c.value);
        break;
      case "multipleOf":
        out.multipleOf = c.value;
    }
  }
  if (out.type === "integer") { // as in Zod 4, whole numbers are the safe ones
    out.minimum = Math.max(out.minimum ?? -Infinity, Number.MIN_SAFE_INTEGER);
    out.maximum = Math.min(out.maximum ?? Infinity, Number.MAX_SAFE_INTEGER);
  }
  if (out.exclusiveMinimum >= (out.minimum ?? -Infinity)) delete out.minimum;
  else delete out.exclusiveMinimum;
  if (out.exclusiveMaximum <= (out.maximum ?? Infinity)) delete out.maximum;
  else delete out.exclusiveMaximum;
  return out;
}

function object(c, def) {
  const shape = def.shape();
  const properties = {}, required = [];
  for (const key of Object.keys(shape)) {
    properties[key] = c.convert(shape[key]);
    if (!omittable(shape[key], c.io)) required.push(key);
  }
  const out = { type: "object", properties };
  if (required.length > 0) out.required = required;
  if (def.catchall._def.typeName !== "ZodNever") out.additionalProperties = c.convert(def.catchall);
  else if (def.unknownKeys === "strict" || (c.io === "output" && def.unknownKeys === "strip")) out.additionalProperties = false;
  else if (def.unknownKeys === "passthrough") out.additionalProperties = {};
  return out;
}

// omittable says whether a field may be left out.
function omittable(schema, io) {
  const def = schema._def;
  switch (def.typeName) {
    case "ZodOptional": return true;
    case "ZodDefault": return io === "input";
    case "ZodCatch": return omittable(def.innerType, io);
    case "ZodNullable": case "ZodReadonly": return omittable(def.innerType, io);
    case "ZodBranded": return omittable(def.type, io);
    case "ZodEffects": return omittable(def.schema, io);
    case "ZodPipeline": return omittable(io === "input" ? def.in : def.out, io);
    case "ZodLazy": return omittable(def.getter(), io);
    case "ZodUndefined": return true;
    case "ZodUnknown": case "ZodAny": return false;
  }
  return false;
}

function array(c, def) {
  const out = { type: "array", items: c.convert(def.type) };
  const min = def.exactLength ?? def.minLength, max = def.exactLength ?? def.maxLength;
  if (min) out.minItems = min.value;
  if (max) out.maxItems = max.value;
  return out;
}

function tuple(c, def) {
  const out = { type: "array", prefixItems: def.items.map((x) => c.convert(x)) };
  out.items = def.rest ? c.convert(def.rest) : false;
  let least = def.items.length;
  while (least > 0 && omittable(def.items[least - 1], c.io)) least--;
  if (least > 0) out.minItems = least;
  if (!def.rest) out.maxItems = def.items.length;
  return out;
}

// anyOf writes a choice; bare types become one list of types, as in Zod 4.
function anyOf(options) {
  const bare = (o) => Object.keys(o).length === 1 && o.type !== undefined;
  if (!options.every(bare)) return { anyOf: options };
  const types = [...new Set(options.flatMap((o) => o.type))];
  return { type: types.length === 1 ? types[0] : types };
}

function literal(_, def) {
  const { value } = def;
  if (value === null) return { type: "null", const: null };
  if (!["string", "number", "boolean"].includes(typeof value)) throw new Error(`a literal ${typeof value} cannot be expressed in JSON Schema`);
  return { type: typeof value, const: value };
}

function enumeration(values) {
  const types = new Set(values.map((v) => typeof v));
  return types.size === 1 ? { type: [...types][0], enum: values } : { enum: values };
}

// nativeEnum leaves out the reverse entries that TypeScript writes for numbers.
function nativeEnum(_, def) {
  const keys = Object.keys(def.values).filter((k) => typeof def.values[def.values[k]] !== "number");
  return enumeration(keys.map((k) => def.values[k]));
}

function record(c, def) {
  return { type: "object", propertyNames: c.convert(def.keyType), additionalProperties: c.convert(def.valueType) };
}

function withDefault(c, def) {
  const value = def.defaultValue();
  return { ...c.convert(def.innerType), default: value === undefined ? undefined : JSON.parse(JSON.stringify(value)) };
}

function caught(c, def) {
  let value;
  try {
    value = def.catchValue({ error: undefined, input: undefined });
  } catch {
    throw new Error("a catch whose value depends on the input cannot be expressed in JSON Schema");
  }
  return { ...c.convert(def.innerType), default: value };
}

function effects(c, def) {
  if (def.effect.type === "transform" && c.io === "output") throw new Error("a transform cannot be expressed in JSON Schema");
  return c.convert(def.schema);
}

const refuse = (what) => () => { throw new Error(`${what} cannot be expressed in JSON Schema`); };

const kinds = {
  ZodString: string,
  ZodNumber: number,
  ZodBoolean: () => ({ type: "boolean" }),
  ZodNull: () => ({ type: "null" }),
  ZodUnknown: () => ({}),
  ZodAny: () => ({}),
  ZodNever: () => ({ not: {} }),
  ZodLiteral: literal,
  ZodEnum: (_, def) => enumeration([...def.values]),
  ZodNativeEnum: nativeEnum,
  ZodObject: object,
  ZodArray: array,
  ZodTuple: tuple,
  ZodRecord: record,
  ZodUnion: (c, def) => anyOf(def.options.map((x) => c.convert(x))),
  ZodDiscriminatedUnion: (c, def) => ({ oneOf: [...def.options].map((x) => c.convert(x)) }),
  ZodIntersection: (c, def) => ({ allOf: [c.convert(def.left), c.convert(def.right)] }),
  ZodOptional: (c, def) => c.convert(def.innerType),
  ZodNullable: (c, def) => anyOf([c.convert(def.innerType), { type: "null" }]),
  ZodDefault: withDefault,
  ZodCatch: caught,
  ZodReadonly: (c, def) => ({ ...c.convert(def.innerType), readOnly: true }),
  ZodBranded: (c, def) => c.convert(def.type),
  ZodEffects: effects,
  ZodPipeline: (c, def) => c.convert(c.io === "input" ? def.in : def.out),
  ZodLazy: (c, def) => c.convert(def.getter()),
  ZodDate: refuse("a date"),
  ZodBigInt: refuse("a bigint"),
  ZodMap: refuse("a map"),
  ZodSet: refuse("a set"),
  ZodSymbol: refuse("a symbol"),
  ZodFunction: refuse("a function"),
  ZodPromise: refuse("a promise"),
  ZodUndefined: refuse("undefined"),
  ZodVoid: refuse("void"),
  ZodNaN: refuse("NaN"),
};
