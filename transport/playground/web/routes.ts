// The routes of an agent's own channels, as /v1/info tells of them.
import { segment } from "./segment.js";

export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  description?: string;
  format?: string;
  minimum?: number;
  minItems?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
}

export interface Route {
  channel: string;
  method: string;
  /** As it is declared, with parameters as :name. */
  path: string;
  description?: string;
  bodySchema?: Schema;
  querySchema?: Schema;
}

export interface Field {
  name: string;
  schema: Schema;
  required: boolean;
}

/** The routes that people may call: not the host's own, and not those that a platform
 *  calls and signs. */
export function customRoutes(channels: any[] | undefined): Route[] {
  const own = (channels ?? []).filter((c) => c.id !== "http");
  return own.flatMap((c) => (c.routes ?? []).filter((r: any) => !r.ingress).map((r: any) => ({ ...r, channel: c.id, description: r.description ?? c.description })));
}

export const params = (path: string): string[] => [...path.matchAll(/:([A-Za-z_][A-Za-z0-9_]*)/g)].map((m) => m[1]);
/** Whether a body is sent: a DELETE has one where its schema says so. */
export const hasBody = (r: Route): boolean => /^(POST|PUT|PATCH)$/.test(r.method) || r.bodySchema !== undefined;

/** A query as it is sent: an array is a name that is repeated. */
export const queryOf = (query: Record<string, unknown>): string =>
  new URLSearchParams(Object.entries(query).flatMap(([k, v]) => [v].flat().map((x) => [k, typeof x === "object" ? JSON.stringify(x) : String(x)]))).toString();

/** Where a route is called, with its parameters in place and below the agent's own path. */
export function address(r: Route, values: Record<string, string> = {}, query = ""): string {
  const path = r.path === "/" ? "" : r.path.replace(/:([A-Za-z_][A-Za-z0-9_]*)/g, (_, name) => segment(values[name] ?? ""));
  const written = query.replace(/[^\w!$&'()*+,;=:@/?%.~-]/gu, encodeURIComponent); // what is typed goes out, and into a shell, as it is meant
  return `/v1/channels/${encodeURIComponent(r.channel)}${path}${written && "?" + written}`;
}

/** The schema that a schema stands for: a reference within it is followed. */
export function resolved(s: Schema | undefined, whole: Schema | undefined = s, depth = 0): Schema {
  const name = s?.$ref?.match(/^#\/(?:\$defs|definitions)\/(.+)$/)?.[1];
  const found = name === undefined ? undefined : whole?.$defs?.[name] ?? (whole as any)?.definitions?.[name];
  return found && depth < 8 ? resolved(found, whole, depth + 1) : (s ?? {});
}

export function fields(schema: Schema | undefined): Field[] {
  const all = [resolved(schema), ...(resolved(schema).allOf ?? []).map((s) => resolved(s, schema))];
  const required = new Set(all.flatMap((s) => s.required ?? []));
  return all.flatMap((s) => Object.entries(s.properties ?? {})).map(([name, s]) => ({ name, schema: resolved(s, schema), required: required.has(name) }));
}

/** The types that a schema lets through, as far as it says. */
export function types(s: Schema): string[] {
  if (s.const !== undefined) return [kind(s.const)];
  if (s.enum) return [...new Set(s.enum.map(kind))];
  if (s.type) return [s.type].flat();
  return [...new Set([...(s.anyOf ?? []), ...(s.oneOf ?? [])].flatMap(types))];
}

/** What a field takes, in a line. */
export const taken = (f: Field): string => (f.schema.enum ? f.schema.enum.map((x) => JSON.stringify(x)).join(" | ") : types(f.schema).join(" | ") || "anything");

function kind(x: unknown): string {
  return x === null ? "null" : Array.isArray(x) ? "array" : typeof x;
}

/** A value to begin with: what is required, and what has a default. */
export function sample(schema: Schema | undefined, whole: Schema | undefined = schema, depth = 0): unknown {
  const s = resolved(schema, whole);
  for (const known of [s.default, s.examples?.[0], s.const, s.enum?.[0]]) if (known !== undefined) return known;
  const other = (s.anyOf ?? s.oneOf)?.find((x) => !types(resolved(x, whole)).includes("null"));
  if (other && !s.properties) return sample(other, whole, depth + 1);
  switch (types(s).find((t) => t !== "null")) {
    case "string":
      return s.format === "date-time" ? "2026-01-01T00:00:00Z" : s.format === "date" ? "2026-01-01" : s.format === "uri" || s.format === "url" ? "https://" : "";
    case "number":
    case "integer":
      return s.minimum ?? 0;
    case "boolean":
      return false;
    case "array":
      return depth < 6 && (s.minItems ?? 0) > 0 ? [sample(s.items, whole, depth + 1)] : [];
    case "null":
      return null;
  }
  return depth < 6 ? object(s, whole, depth) : {};
}

function object(s: Schema, whole: Schema | undefined, depth: number): Record<string, unknown> {
  const all = fields({ ...s, $defs: whole?.$defs }), needed = all.filter((f) => f.required || f.schema.default !== undefined);
  return Object.fromEntries((needed.length > 0 ? needed : all).map((f) => [f.name, sample(f.schema, whole, depth + 1)]));
}
