// @cursor/bdk/channels: bot/channels/<id>.ts. Its routes lie at /v1/channels/<id>.

/// <reference path="./globals.d.ts" />

import type { Principal, SessionEvent, SessionEventOf, SessionEventType } from "./_events.js";
import type { ArtifactsApi, Host, Log, SessionHandle, SessionInfo, WorkspaceFiles } from "./_host.js";
import type { JsonValue, Parsed, Schema } from "./_json.js";

/** What a message does on a session that is busy. */
export type Admission = "queue" | "interrupt" | "coalesce" | "reject";

export interface SendOptions {
  /** The channel's name for the conversation: the same token is the same one. Left out: a new one. */
  continuationToken?: string | undefined;
  title?: string | undefined;
  /** Who owns a session that this opens. Left out: who called. A conversation has one owner. */
  auth?: Principal | undefined;
  /** Left out: the channel's. A rejected send throws an error with the code "session_busy". */
  admission?: Admission | undefined;
  workspaceFiles?: WorkspaceFiles | undefined;
  /** Left out: "chat". */
  mode?: "chat" | "task" | undefined;
  /** Makes the message once: a redelivery gives the first handle and starts nothing. */
  deliveryId?: string | undefined;
}

/** What every function of a channel, and the run of a schedule, has in its ctx. */
export interface ChannelHost {
  host: Host;
  artifacts: ArtifactsApi;
  log: Log;
  agent: { readonly name: string };
  /** Aborted when the caller has gone, or the time is over. */
  signal: AbortSignal;
  readonly stateRoot: string;
  now(): Date;
}

/** What a channel's code may do with sessions, also after its answer in waitUntil. */
export interface ChannelSurface extends ChannelHost {
  /** Resolves when the message is on disk. */
  send(text: string, options?: SendOptions): Promise<SessionHandle>;
  /** A session of this channel, undefined where there is none. */
  getSession(id: string): Promise<SessionHandle | undefined>;
  /** Lets work go on after the response; ctx can be used until it has settled. */
  waitUntil(promise: PromiseLike<unknown>): void;
}

/** A query without a querySchema: a name that is repeated has an array. */
export type PlainQuery = Record<string, string | string[]>;

export interface ChannelContext<Body = unknown, Query = PlainQuery> extends ChannelSurface {
  /**
   * Parsed by bodySchema. Without one: the JSON, the fields of a form or the text, by the
   * content type, and undefined for what cannot be read. The request still has the bytes.
   */
  body: Body;
  /** Parsed by querySchema, where the route has one. */
  query: Query;
  /** What :name in the path stands for. */
  params: Record<string, string>;
  principal: Principal;
  /** Where the request was acknowledged first: the same when it is handled again after a restart. */
  deliveryId: string | undefined;
}

export interface RouteConfig<B extends Schema | undefined = undefined, Q extends Schema | undefined = undefined> {
  description?: string;
  bodySchema?: B;
  querySchema?: Q;
  /** Answers with an empty 202 once the request is durable; the handler runs after it. */
  acknowledge?: boolean;
  handler(
    request: Request,
    ctx: ChannelContext<B extends Schema ? Parsed<B> : unknown, Q extends Schema ? Parsed<Q> : PlainQuery>,
  ): Response | Promise<Response>;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly description?: string;
}

interface MakeRoute {
  <const B extends Schema | undefined = undefined, const Q extends Schema | undefined = undefined>(
    path: string,
    route: RouteConfig<B, Q>,
  ): Route;
  (path: string, handler: (request: Request, ctx: ChannelContext) => Response | Promise<Response>): Route;
}

export declare const GET: MakeRoute;
export declare const POST: MakeRoute;
export declare const PUT: MakeRoute;
export declare const PATCH: MakeRoute;
export declare const DELETE: MakeRoute;

/** A policy that the host knows. What it was made of is not in it. */
export interface BuiltInPolicy {
  readonly policy: string;
}

/** Admits a request by naming who calls, or gives null. The body is not there yet. */
export type PolicyFunction = (request: Request) => Principal | null | undefined | Promise<Principal | null | undefined>;

/** Policies are tried in order; the first that admits names who calls. */
export type AuthPolicy = BuiltInPolicy | PolicyFunction;

/** Direct calls from this machine; the default. */
export declare function localDevStrict(): BuiltInPolicy;
/** Authorization: Bearer. One token, several, or tokens with the ids of who has them. */
export declare function bearerAuth(token: string | string[] | Record<string, string>): BuiltInPolicy;
/** A JSON Web Token: {kind: "jwt", issuer, id}. Keys are public keys in PEM, or a shared secret. */
export declare function jwtAuth(options: {
  issuer: string;
  audience: string;
  jwksUrl?: string;
  keys?: string[];
  /** The claim with the id. Left out: "sub". */
  claim?: string;
}): BuiltInPolicy;
/** Authorization: Basic. One user with the password, or users with theirs. */
export declare function basicAuth(user: string, password: string): BuiltInPolicy;
export declare function basicAuth(users: Record<string, string> | { users: Record<string, string> }): BuiltInPolicy;
/** A key in a header. One, several, or keys with the ids of who has them. */
export declare function apiKeyHeader(options: { header: string; keys: string | string[] | Record<string, string> }): BuiltInPolicy;
export declare function apiKeyHeader(header: string, keys: string | string[] | Record<string, string>): BuiltInPolicy;
/** Everybody. */
export declare function allowAll(): BuiltInPolicy;

/** The channel's side of a session, for its handlers of events. */
export interface ChannelSession<State = JsonValue> {
  /** null where the channel has none and none was set. */
  readonly state: State | null;
  /** Kept in the session's log; the delivery waits for it. */
  setState(value: State): Promise<void>;
  readonly continuationToken?: string;
  /** Renames the conversation. Throws when another session of the channel has the token. */
  setContinuationToken(token: string): Promise<void>;
}

export interface ChannelEventContext extends ChannelHost {
  session: SessionInfo;
  /** The same when the event is delivered again. */
  deliveryId: string;
  waitUntil(promise: PromiseLike<unknown>): void;
}

type ChannelHandler<E, State> = (event: E, channel: ChannelSession<State>, ctx: ChannelEventContext) => unknown;

/** Handlers for the events of the channel's sessions, in order, after they were recorded. */
export type ChannelEvents<State = JsonValue> = {
  [T in SessionEventType]?: ChannelHandler<SessionEventOf<T>, State>;
} & { "*"?: ChannelHandler<SessionEvent, State> };

export interface ChannelConfig<State = JsonValue> {
  description?: string;
  /** Left out: localDevStrict(), or what the command line says. */
  auth?: AuthPolicy[];
  routes?: Route[];
  events?: ChannelEvents<State>;
  /** What state begins with. */
  state?: State;
  /** Each time when the host has started. What it throws is logged and shown. */
  onStart?(ctx: ChannelSurface): unknown;
  /** For sends that do not say. */
  admission?: Admission;
  /** Whether somebody can approve calls here. Left out: false. */
  approvals?: boolean;
  /** Every route answers with an empty 202 once the request is durable. */
  acknowledge?: boolean;
}

export interface ChannelDefinition<State = JsonValue> extends ChannelConfig<State> {}

export declare function defineChannel<State = JsonValue>(channel: ChannelConfig<State>): ChannelDefinition<State>;

export type { SessionHandle };
