// Calls a route, and keeps its answer while the view changes to the session that it opened.
import { ApiError, base, headers } from "../../api.js";
import { type Child, h, signal } from "../../dom.js";
import { visible } from "../../format.js";
import { go, to } from "../../router.js";
import { address, queryOf, type Route } from "../../routes.js";
import type { Command } from "./slash.js";
import { folding } from "./value.js";

export interface Answer {
  title: string;
  status: number;
  took: number;
  headers: [string, string][];
  text: string;
  /** The parsed text, where it is JSON. */
  json?: any;
  session?: string;
}

/** What is shown above the composer: an answer, help, or nothing. */
export const answer = signal<Answer | Command[] | undefined>(undefined);

/** Calls a route; an answer of any status is an answer. */
export async function callRoute(r: Route, o: { params?: Record<string, string>; query?: string; body?: string; type?: string }): Promise<Answer> {
  const began = performance.now(), where = address(r, o.params, o.query);
  const reply = await fetch(base + where, { method: r.method, headers: headers(o.body === undefined ? {} : { "content-type": o.type ?? "application/json" }), body: o.body });
  const text = await reply.text(), json = parsed(text);
  const id = json?.sessionId ?? json?.session?.id;
  return {
    title: `${r.method} ${where}`, status: reply.status, took: performance.now() - began, headers: [...reply.headers], text, json,
    session: reply.ok && typeof id === "string" && /^ses_[0-9A-Za-z]+$/.test(id) ? id : undefined,
  };
}

/** What a text is as JSON, if it is any. */
export function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Runs a command, shows its answer, and opens the session that it made. */
export async function run(c: Command, body: Record<string, unknown> | undefined, query: Record<string, unknown>): Promise<boolean> {
  const a = await callRoute(c.route, { query: queryOf(query), body: body && JSON.stringify(body) });
  if (a.status === 401) throw new ApiError(401, "unauthorized", "the route's own auth does not admit this page: give a token that it takes", a.json);
  answer.set({ ...a, title: `/${c.name}` });
  if (a.session) go(to("chat", a.session));
  return a.status < 400;
}

/** The headers of an answer, folded away. */
export const headersOf = (all: [string, string][]): Child =>
  folding({ class: "reasoning", summary: `${all.length} headers`, body: () => h("pre", { tabindex: "0", "aria-label": "Headers" }, visible(all.map(([k, v]) => `${k}: ${v}`).join("\n"))) });

const mostIssues = 50;

/** What a refusal says of the fields. */
export function issues(reply: any): Child {
  if (!Array.isArray(reply?.issues)) return null;
  return h("ul", { class: "issues" }, reply.issues.slice(0, mostIssues).map((i: any) => h("li", null, h("b", { class: "mono" }, visible(String(i.path || "the body"))), " ", visible(String(i.message)))));
}
