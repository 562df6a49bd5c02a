// The HTTP API of the agent whose page this is.
import { signal } from "./dom.js";
import { segment } from "./segment.js";

/** The path that the agent's routes begin with: "" or "/<slug>". */
export const base = location.pathname.replace(/\/playground\/?$/, "");
/** The agent's URL. */
export const host = location.origin + base;

// The token lives as long as the tab, and never in a URL.
const tokenKey = "bdk.token";
export const token = signal(sessionStorage.getItem(tokenKey) ?? "");
export function setToken(value: string): void {
  sessionStorage.setItem(tokenKey, value.trim());
  token.set(value.trim());
  refused.set(false); // the views come back, and ask with the new one
}

/** Says that the host admits nobody without a token, or not with this one. */
export const refused = signal(false);

export class ApiError extends Error {
  constructor(readonly status: number, readonly code: string, message: string, readonly body: any) {
    super(message);
  }
}

export function headers(more: Record<string, string> = {}): Record<string, string> {
  return token.peek() ? { authorization: `Bearer ${token.peek()}`, ...more } : more;
}

/** Asks a path below the agent's; what is no 2xx is an ApiError. */
export async function ask(method: string, path: string, body?: unknown, signal?: AbortSignal, more: Record<string, string> = {}, gate = true): Promise<any> {
  const given = token.peek();
  const r = await fetch(base + path, {
    method,
    signal,
    headers: headers(body === undefined ? more : { "content-type": "application/json", ...more }),
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return answered(r, gate && given === token.peek());
}

/** Asks a route that the host guards and not the agent: who is refused there may still use
 *  the rest of the page. */
export const askHost = (method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<any> => ask(method, path, body, signal, {}, false);

async function answered(r: Response, gate: boolean): Promise<any> {
  if (r.ok) return read(r);
  if (r.status === 401 && gate) refused.set(true);
  throw await refusal(r);
}

async function read(r: Response): Promise<any> {
  const text = await r.text();
  try {
    return text === "" ? {} : JSON.parse(text);
  } catch {
    return { message: text.slice(0, 300) };
  }
}

/** What the host said where it did not do what it was asked. */
export async function refusal(r: Response): Promise<ApiError> {
  const reply = await read(r);
  return new ApiError(r.status, reply.error ?? "", reply.message ?? `the host answered ${r.status}`, reply);
}

export const get = (path: string, signal?: AbortSignal) => ask("GET", path, undefined, signal);
export const post = (path: string, body?: unknown) => ask("POST", path, body);
export const patch = (path: string, body?: unknown) => ask("PATCH", path, body);

/** What the host tells everybody of its agents: their names, and what they are for. */
export async function askAgents(): Promise<{ slug: string; name: string; description?: string }[]> {
  const r = await fetch("/v1/agents");
  return r.ok ? (await r.json()).agents : [];
}

/** A path with its parameters escaped: path`/v1/session/${id}`. */
export const path = (parts: TemplateStringsArray, ...names: (string | number)[]): string =>
  parts.reduce((all, part, i) => all + segment(String(names[i - 1])) + part);
