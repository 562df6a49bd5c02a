// Slash commands: "/report ticketId=7 subject='A crane'" calls a route of a channel.
import { type Field, fields, hasBody, params, type Route, types } from "../../routes.js";

export interface Command {
  name: string;
  description: string;
  route: Route;
  body: Field[];
  query: Field[];
}

/** What a line of the composer is. */
export type Line =
  | { kind: "message" }
  | { kind: "help" }
  | { kind: "unknown"; name: string; near?: string }
  | { kind: "fault"; message: string; field?: string; command?: Command }
  | { kind: "call"; command: Command; body?: Record<string, unknown>; query: Record<string, unknown> };

const lastPart = (r: Route): string => r.path.split("/").filter(Boolean).pop() ?? r.channel;
const whole = (r: Route): string => r.channel + (r.path === "/" ? "" : r.path);

/** The commands of routes: those without parameters. One whose name another has, or that is
 *  named help, goes by its channel and path. */
export function commands(routes: Route[]): Command[] {
  const own = routes.filter((r) => params(r.path).length === 0);
  const times = (name: (r: Route) => string, r: Route) => own.filter((other) => name(other) === name(r)).length;
  return own.map((r) => {
    const name = times(lastPart, r) === 1 && lastPart(r) !== "help" ? lastPart(r) : times(whole, r) === 1 && whole(r) !== "help" ? whole(r) : `${whole(r)}:${r.method.toLowerCase()}`;
    return { name, description: r.description ?? "", route: r, body: hasBody(r) ? fields(r.bodySchema) : [], query: fields(r.querySchema) };
  });
}

const all = (c: Command): Field[] => [...c.body, ...c.query.filter((q) => !c.body.some((b) => b.name === q.name))];

/** The field that the rest of the line goes to. */
function restField(c: Command): Field | undefined {
  const required = all(c).filter((f) => f.required);
  return required.length === 1 && types(required[0].schema).includes("string") ? required[0] : undefined;
}

/** How a command is written. */
export function usage(c: Command): string {
  const rest = restField(c);
  const named = all(c).filter((f) => f !== rest).map((f) => (f.required ? `${f.name}=…` : `[${f.name}=…]`));
  if (rest && named.length === 0) return `/${c.name} <${rest.name}>`;
  return `/${[c.name, ...(rest ? [`${rest.name}=…`] : []), ...named].join(" ")}`;
}

/** The commands that a beginning could become, best first. */
export function complete(text: string, list: Command[]): Command[] {
  const typed = /^\/(\S*)$/.exec(text)?.[1].toLowerCase();
  if (typed === undefined) return [];
  const rank = (c: Command) => { const name = c.name.toLowerCase(); return name.startsWith(typed) ? 0 : name.includes(typed) ? 1 : 2; };
  return list.filter((c) => rank(c) < 2).sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

export function read(text: string, list: Command[]): Line {
  const parts = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trimEnd());
  if (!parts) return { kind: "message" };
  const [, name, rest = ""] = parts;
  if (name === "help") return { kind: "help" };
  const command = list.find((c) => c.name === name);
  if (command) return call(command, rest);
  const several = list.filter((c) => lastPart(c.route) === name || whole(c.route) === name);
  if (several.length > 0) return { kind: "fault", message: `several commands are named ${name}: ${several.map((c) => "/" + c.name).join(", ")}` };
  return { kind: "unknown", name, near: list.find((c) => near(c.name, name))?.name };
}

// near holds for names that differ by one character, or by two that were swapped.
function near(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const after = (n: number, m: number) => a.slice(i + n) === b.slice(i + m);
  return after(1, 1) || after(1, 0) || after(0, 1) || (a[i] === b[i + 1] && a[i + 1] === b[i] && after(2, 2));
}

function call(command: Command, rest: string): Line {
  const known = all(command), field = restField(command);
  const first = /^([^\s="']+)=/.exec(rest)?.[1];
  const alone = field && !(first && known.some((f) => f.name === first));
  const fault = (message: string, at?: string): Line => ({ kind: "fault", message, field: at, command });
  const pairs = alone ? (rest.trim() === "" ? [] : [[field.name, rest] as const]) : split(rest);
  if (typeof pairs === "string") return fault(pairs);
  const values: Record<string, unknown> = Object.create(null);
  for (const [name, text] of pairs) {
    const f = known.find((f) => f.name === name);
    if (!f && known.length > 0 && !open(command)) return fault(`${name}: there is no such field; there are ${known.map((f) => f.name).join(", ")}`, name);
    if (name in values) return fault(`${name}: is given twice`, name);
    try {
      values[name] = alone ? text : convert(text, f);
    } catch (e) {
      return fault(`${name}: ${(e as Error).message}`, name);
    }
  }
  const missing = known.filter((f) => f.required && !(f.name in values)).map((f) => f.name);
  return missing.length > 0 ? fault(`${missing.join(", ")}: ${missing.length > 1 ? "are" : "is"} required`, missing[0]) : place(command, values);
}

const open = (c: Command): boolean => Boolean(c.route.bodySchema?.additionalProperties || c.route.querySchema?.additionalProperties);

// place puts each value where its field is: into the body, or into the query.
function place(command: Command, values: Record<string, unknown>): Line {
  const inQuery = (name: string) => !command.body.some((f) => f.name === name) && (command.query.some((f) => f.name === name) || !hasBody(command.route));
  const pick = (query: boolean) => Object.fromEntries(Object.entries(values).filter(([name]) => inQuery(name) === query));
  const body = pick(false), wants = command.route.bodySchema !== undefined || Object.keys(body).length > 0;
  return { kind: "call", command, body: hasBody(command.route) && wants ? body : undefined, query: pick(true) };
}

/** Splits name=value pairs; values may stand in quotes, or be JSON. A text says what is wrong. */
export function split(rest: string): [string, string][] | string {
  const pairs: [string, string][] = [], begun = /\s*([^\s="']+)=(?=[[{])/y;
  const pair = /\s*([^\s="']+)=(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([^\s"'][^\s]*)?)(?=\s|$)/y;
  while (pair.lastIndex < rest.trimEnd().length) {
    const at = (begun.lastIndex = pair.lastIndex), name = begun.exec(rest)?.[1], whole = name && wholeJSON(rest, begun.lastIndex);
    if (name && whole) {
      pairs.push([name, whole]);
      pair.lastIndex = begun.lastIndex + whole.length;
      continue;
    }
    const m = pair.exec(rest);
    if (!m) return `cannot read ${rest.slice(at).trim().slice(0, 60)}: write name=value, and a value with spaces in quotes`;
    pairs.push([m[1], (m[2] ?? m[3])?.replace(/\\([\s\S])/g, (_, c) => (c === "n" ? "\n" : c)) ?? m[4] ?? ""]);
  }
  return pairs;
}

// wholeJSON is the array or object that begins at a place, with its spaces.
function wholeJSON(text: string, from: number): string | undefined {
  const token = /"(?:[^"\\]|\\[\s\S])*"|[\s\S]/y;
  let depth = 0;
  for (token.lastIndex = from; token.lastIndex < text.length; ) {
    const t = token.exec(text)![0];
    depth += /^[[{]$/.test(t) ? 1 : /^[\]}]$/.test(t) ? -1 : 0;
    if (depth === 0) return /^(\s|$)/.test(text.slice(token.lastIndex)) ? text.slice(from, token.lastIndex) : undefined;
  }
  return undefined;
}

// convert makes of a text what the field's schema takes.
function convert(text: string, f: Field | undefined): unknown {
  const may = f ? types(f.schema) : [];
  if (f?.schema.enum?.some((x) => typeof x !== "string" && String(x) === text)) return f.schema.enum.find((x) => String(x) === text);
  if (may.length === 0 || may.includes("string")) return text;
  if ((may.includes("number") || may.includes("integer")) && /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return Number(text);
  if (may.includes("boolean") && /^(true|false)$/.test(text)) return text === "true";
  if (may.includes("null") && text === "null") return null;
  if (may.includes("array") && !text.startsWith("[")) return text.split(",").map((x) => convert(x, f?.schema.items && { name: "", required: false, schema: f.schema.items }));
  if (may.includes("array") || may.includes("object")) return json(text, may.includes("array") ? "an array" : "an object");
  throw new Error(`must be ${may.map((t) => (/^[aio]/.test(t) ? "an " : t === "null" ? "" : "a ") + t).join(" or ")}`);
}

function json(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`must be ${what} in JSON`);
  }
}
