// @cursor/bdk/hooks: bot/hooks/**/<name>.ts.

/// <reference path="./globals.d.ts" />

import type { SessionEvent, SessionEventOf, SessionEventType } from "./_events.js";
import type { ArtifactsApi, Host, Log, SessionInfo } from "./_host.js";

export interface HookContext {
  session: SessionInfo;
  agent: { readonly name: string };
  /** The token is null where the session takes no follow-ups. */
  channel: { readonly id: string; readonly continuationToken: string | null };
  host: Host;
  artifacts: ArtifactsApi;
  readonly stateRoot: string;
  log: Log;
  /** The session's asOf instant where it has one, else the time. */
  now(): Date;
}

/** Handlers by the type of event, and "*" for every event. */
export type HookEvents = {
  [T in SessionEventType]?: (event: SessionEventOf<T>, ctx: HookContext) => unknown;
} & {
  "*"?: (event: SessionEvent, ctx: HookContext) => unknown;
};

/** A type of event that there is not is an error where it is written. */
type Known<E> = { [K in Exclude<keyof E, SessionEventType | "*">]: never };

export interface HookDefinition<E extends HookEvents = HookEvents> {
  events: E;
}

/**
 * Observes the events of every session, each after it was recorded. Events are
 * read-only; what a handler throws is logged and skipped.
 */
export declare function defineHook<E extends HookEvents>(hook: { events: E & Known<E> }): HookDefinition<E>;

export type { SessionEvent, SessionEventOf, SessionEventType };
