// JSON-RPC: what a request must be, and how it is answered.

export class Fault extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

export const notJSON = () => new Fault(-32700, "the body is not JSON");
export const invalidRequest = (why: string) => new Fault(-32600, why);
export const noMethod = (name: string) => new Fault(-32601, `there is no method ${name}`);
export const invalidParams = (why: string) => new Fault(-32602, why);
export const noTask = (id: string) => new Fault(-32001, `there is no task ${id}`);
export const noCancel = (id: string) => new Fault(-32002, `the task ${id} cannot be cancelled`);
export const noVersion = (version: string) => new Fault(-32009, `this agent speaks A2A 1.0 and 0.3, not ${version}`);

export type Id = string | number | null;
export type Fields = Record<string, unknown>;

export const isObject = (x: unknown): x is Fields => typeof x === "object" && x !== null && !Array.isArray(x);

export interface Call {
  id: Id;
  method: string;
  params: Fields;
}

/** The id that an answer must bear, also that of a request which is wrong. */
export const idOf = (body: unknown): Id => {
  const id = isObject(body) ? body.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : null;
};

export function parse(body: unknown): Call {
  if (body === undefined) throw notJSON();
  if (!isObject(body) || body.jsonrpc !== "2.0" || typeof body.method !== "string") throw invalidRequest('a request is {"jsonrpc": "2.0", id, method, params}');
  if (body.params !== undefined && !isObject(body.params)) throw invalidParams("params is an object");
  return { id: idOf(body), method: body.method, params: body.params ?? {} };
}

export const result = (id: Id, value: object) => ({ jsonrpc: "2.0", id, result: value });

export function error(id: Id, e: unknown) {
  if (!(e instanceof Fault)) throw e; // the host answers 500, and its log has the place
  return { jsonrpc: "2.0", id, error: { code: e.code, message: e.message } };
}

/** A text of params that must be there. */
export function text(params: Fields, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || value === "") throw invalidParams(`${name} is a text`);
  return value;
}
