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
  /** Who owns a session that this opens. Left out: who called. */
  auth?: Principal | undefined;
  /** Left out: "queue". */
  admission?: Admission | undefined;
  workspaceFiles?: WorkspaceFiles | undefined;
  /** Left out: "chat". */
  mode?: "chat" | "task" | undefined;
  /** Makes the message once: a redelivery gives the first handle and starts nothing. */
  deliveryId?: string | undefined;
}

export interface ChannelContext<Body = unknown, Query = Record<string, string>> {
  /** Parsed by bodySchema, where the route has one. */
  body: Body;
  /** Parsed by querySchema, where the route has one. */
  query: Query;
  /** What :name in the path stands for. */
  params: Record<string, string>;
  principal: Principal;
  send(text: string, options?: SendOptions): Promise<SessionHandle>;
  /** A session of this channel, undefined where there is none. */
  getSession(id: string): Promise<SessionHandle | undefined>;
  /** Lets work go on after the response. */
  waitUntil(promise: Promise<unknown>): void;
  host: Host;
  artifacts: ArtifactsApi;
  log: Log;
}

export interface RouteConfig<B extends Schema | undefined = undefined, Q extends Schema | undefined = undefined> {
  description?: string;
  bodySchema?: B;
  querySchema?: Q;
  /** Answers with an empty 202 once the request is durable; the handler runs after it. */
  acknowledge?: boolean;
  handler(
    request: Request,
    ctx: ChannelContext<B extends Schema ? Parsed<B> : unknown, Q extends Schema ? Parsed<Q> : Record<string, string>>,
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

/** A policy that the host knows. */
export interface BuiltInPolicy {
  readonly policy: string;
  readonly [setting: string]: unknown;
}

/** Admits a request by naming who calls, or gives null. Policies are tried in order. */
export type AuthPolicy = BuiltInPolicy | ((request: Request) => Principal | null | Promise<Principal | null>);

/** Direct calls from this machine; the default. */
export declare function localDevStrict(): BuiltInPolicy;
/** Authorization: Bearer, one token, or tokens with the ids that they stand for. */
export declare function bearerAuth(token: string | Record<string, string>, options?: Record<string, unknown>): BuiltInPolicy;
/** A JSON Web Token. */
export declare function jwtAuth(options: {
  jwksUrl?: string;
  keys?: unknown[];
  issuer?: string;
  audience?: string | string[];
  /** The claim with the id. Left out: "sub". */
  claim?: string;
}): BuiltInPolicy;
/** Authorization: Basic, users with their passwords. */
export declare function basicAuth(options: Record<string, unknown>): BuiltInPolicy;
/** A key in a header. */
export declare function apiKeyHeader(options: { header: string; keys: string[] | Record<string, string> }): BuiltInPolicy;
export declare function apiKeyHeader(header: string, key: string | string[], options?: Record<string, unknown>): BuiltInPolicy;
/** Everybody. */
export declare function allowAll(): BuiltInPolicy;

/** The channel's side of a session, for its handlers of events. */
export interface ChannelSession<State = JsonValue> {
  readonly state: State | undefined;
  /** Kept in the session's log. */
  setState(value: State): void | Promise<void>;
  readonly continuationToken?: string;
  setContinuationToken(token: string): void | Promise<void>;
}

export interface ChannelEventContext {
  host: Host;
  session: SessionInfo;
  /** The same when the event is delivered again. */
  deliveryId: string;
  log: Log;
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
  onStart?(ctx: { host: Host; log: Log }): unknown;
  /** For sends that do not say. */
  admission?: Admission;
  /** Whether somebody can approve calls here. Left out: false. */
  approvals?: boolean;
  acknowledge?: boolean;
}

export interface ChannelDefinition<State = JsonValue> extends ChannelConfig<State> {}

export declare function defineChannel<State = JsonValue>(channel: ChannelConfig<State>): ChannelDefinition<State>;

export type { SessionHandle };
