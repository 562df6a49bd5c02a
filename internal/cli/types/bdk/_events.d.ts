// What is recorded of a session.

import type { JsonObject, JsonValue } from "./_json.js";

/** Who acts. Two are the same when all fields are. */
export interface Principal {
  kind: string;
  id: string;
  issuer?: string;
  tenant?: string;
}

/** Tokens, counted in one way for every provider. */
export interface Usage {
  /** Charged at the full input rate; never counts a cached token. */
  inputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  /** Includes reasoning. */
  outputTokens: number;
  reasoningTokens?: number;
}

/** Money; absent where a price is unknown. */
export interface Cost {
  totalUsd: number;
  /** The model that it was priced against. */
  model: string;
}

/** The key that a caller gave a request, and what it was checked against. */
export interface Idempotency {
  key: string;
  scope: string;
  bodyHash: string;
}

export interface RequestedCall {
  callId: string;
  toolName: string;
  /** As the model sent it; absent when that was no object. */
  args?: JsonObject;
  parentCallId?: string;
  effect?: "read" | "write";
  idempotent?: boolean;
}

/** The record of something that a session, or its agent, made. */
export interface ArtifactRecord {
  id: string;
  kind: string;
  key: string;
  title: string;
  data?: any;
  sessionId: string;
  turnId?: string;
  createdAt: string;
  updatedAt: string;
  size?: number;
  contentType?: string;
  fileName?: string;
  sha256?: string;
  hasContent: boolean;
}

export type FinishReason = "stop" | "tool-calls" | "length" | "content-filter";

/** Why a call failed. */
export type ActionCode =
  | "invalid_input"
  | "unknown_tool"
  | "tool_error"
  | "timeout"
  | "denied"
  | "expired"
  | "cancelled"
  | "outcome_unknown"
  | "invalid_output"
  | "as_of"
  | (string & {});

/** Why a turn failed. */
export type TurnCode =
  | "model_error"
  | "content_filter"
  | "context_overflow"
  | "max_steps"
  | "budget_exceeded"
  | "result_rejected"
  | "timeout"
  | "repeated_failure"
  | "max_output"
  | "resume_limit"
  | "internal"
  | "interrupted"
  | "stopped"
  | "forked"
  | (string & {});

/** parentCallId marks what a subagent did. */
interface OfSubagent {
  parentCallId?: string;
}

/** The data of each event, by its type. */
export interface SessionEventData {
  "session.started": {
    agent: string;
    channelId: string;
    mode: "chat" | "task";
    purpose: "live" | "eval";
    principal: Principal;
    title?: string;
    dryRun?: boolean;
    asOf?: string;
    workspaceFiles?: { path: string; sha256: string; size: number }[];
    continuationToken?: string;
    schedule?: { id: string; instant: string };
    forkedFrom?: { sessionId: string; index: number };
    /** Of an eval's session: the folder that it works in, the tools that are stubbed, the model in the agent's place. */
    workspaceDir?: string;
    stubs?: string[];
    model?: string;
  };
  "session.updated": { title?: string };
  "session.waiting": {};
  "session.completed": { result?: JsonValue };
  "session.failed": { message: string };
  "session.deleted": {};
  "message.received": {
    text: string;
    from: "user" | "channel" | "schedule" | "reminder" | "peer";
    deliveryId?: string;
    idempotency?: Idempotency;
    /** Slugs of the agents that a peer's message came through, the first first. */
    askers?: string[];
  };
  "message.appended": OfSubagent & { text: string };
  "message.completed": OfSubagent & { text: string; finishReason: FinishReason };
  "reasoning.appended": OfSubagent & { text: string };
  "reasoning.completed": OfSubagent & { text: string };
  "turn.started": { model: string };
  "turn.resumed": { reason: "host-restart"; attempt: number };
  "turn.completed": { result?: JsonValue; usage?: Usage; cost?: Cost };
  "turn.failed": { message: string; status?: "error" | "cancelled"; code?: TurnCode; usage?: Usage; cost?: Cost };
  "step.started": OfSubagent & { step: number; attempt: number; model?: string; repair?: string };
  "step.completed": OfSubagent & {
    step: number;
    attempt: number;
    finishReason: FinishReason;
    usage?: Usage;
    provider?: { name: string; model: string; blocks: JsonValue[] };
  };
  "actions.requested": OfSubagent & { calls: RequestedCall[]; idempotency?: Idempotency };
  "action.result": OfSubagent & {
    callId: string;
    toolName: string;
    /** What the tool returned; the message where isError is set. */
    output?: JsonValue;
    isError: boolean;
    code?: ActionCode;
    stubbed?: boolean;
  };
  "input.requested": OfSubagent & {
    requestId: string;
    kind: "approval";
    callId: string;
    toolName: string;
    args?: JsonObject;
    expiresAt?: string;
  };
  "input.resolved": OfSubagent & {
    requestId: string;
    callId: string;
    decision: "approve" | "deny" | "cancelled" | "expired";
    by?: Principal;
    reason?: string;
    idempotency?: Idempotency;
  };
  "subagent.called": OfSubagent & { callId: string; name: string; task: string };
  "subagent.completed": OfSubagent & {
    callId: string;
    name: string;
    output?: JsonValue;
    isError: boolean;
    /** Why it did not finish, as of `turn.failed`. */
    code?: string;
    usage?: Usage;
  };
  "skill.loaded": OfSubagent & { name: string };
  /** `max` is how many artifacts the owner keeps, where that is not the default. */
  "artifact.tagged": OfSubagent & { artifact: ArtifactRecord; max?: number };
  "authorization.requested": OfSubagent & { connection: string; callId?: string; url?: string; expiresAt?: string };
  "authorization.completed": OfSubagent & { connection: string; outcome: "granted" | "denied" | "expired" | "cancelled" };
  "context.compacted": OfSubagent & {
    /** The model that summed up, where it is not the turn's. */
    model?: string;
    summary: string;
    throughIndex: number;
    tokensBefore: number;
    tokensAfter: number;
    usage?: Usage;
  };
  "reminder.set": OfSubagent & {
    reminderId: string;
    key?: string;
    at?: string;
    cron?: string;
    timeZone?: string;
    message: string;
    data?: JsonValue;
  };
  "reminder.cancelled": OfSubagent & { reminderId: string };
  "reminder.fired": {
    reminderId: string;
    /** When it fires again; left out: it is disarmed. */
    next?: string;
  };
  "channel.updated": { state?: JsonValue; continuationToken?: string };
}

export type SessionEventType = keyof SessionEventData;

/** An event of one type. */
export interface SessionEventOf<T extends SessionEventType> {
  readonly type: T;
  /** The place in the session's log, dense from 0: order is the index alone. */
  readonly index: number;
  readonly sessionId: string;
  /** On what belongs to a turn. */
  readonly turnId?: string;
  /** RFC 3339, UTC, with milliseconds. */
  readonly at: string;
  readonly data: Readonly<SessionEventData[T]>;
}

/** An event of any type: a switch on type narrows data. */
export type SessionEvent = { [T in SessionEventType]: SessionEventOf<T> }[SessionEventType];
