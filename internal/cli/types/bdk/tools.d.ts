// @cursor/bdk/tools: bot/tools/<name>.ts, one tool a file; the file's name is the tool's.

/// <reference path="./globals.d.ts" />

import type { ArtifactsApi, Host, Log, SessionInfo } from "./_host.js";
import type { JsonObject, JsonValue, Schema, ToolInput } from "./_json.js";

export interface ToolContext {
  session: SessionInfo;
  agent: { readonly name: string };
  channel: { readonly id: string; readonly continuationToken?: string | null };
  toolCallId?: string;
  /** Not set for a direct call. */
  turnId?: string;
  /** The session's asOf instant where it has one, else the time. */
  now(): Date;
  /** Ends with the call. */
  signal: AbortSignal;
  /** The session's folder, made when it is first asked for. */
  readonly workspaceDir: string;
  readonly stateRoot: string;
  host: Host;
  artifacts: ArtifactsApi;
  log: Log;
}

export type ToolResultContent =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string };

/** The form of a result that says more than its JSON. */
export interface ToolResultEnvelope {
  content: ToolResultContent[];
  structuredContent?: JsonObject;
  isError?: boolean;
}

/** What execute may return: JSON, or an envelope. What it throws is the error result. */
export type ToolExecuteResult = JsonValue | ToolResultEnvelope | undefined | void;

export interface ToolConfig<S extends Schema = Schema, Input = ToolInput<S>> {
  /** What the tool does and when to use it, for the model. */
  description: string;
  title?: string;
  /** A schema of Zod, or of another library that follows Standard Schema, or plain JSON Schema. */
  inputSchema: S;
  /** A result that does not fit is an error result. */
  outputSchema?: Schema;
  /** Where it runs: in the host, or as a script in the session's workspace. Left out: "server". */
  execution?: "server" | "agent";
  /** Whether a call changes something, asked with its parsed input. Left out: "read". */
  effect?: "read" | "write" | ((input: Input) => "read" | "write");
  /** A write that may run again after a crash. */
  idempotent?: boolean;
  /** Whether a call waits until a person approves it. */
  needsApproval?: boolean | ((input: Input, ctx: ToolContext) => boolean | Promise<boolean>);
  /** What a write answers in a dry run. Left out: {stubbed: true}. */
  dryRunResult?(input: Input, ctx: ToolContext): unknown;
  /** Fields of the input that hold instants; dots reach inside. */
  timeArguments?: string[];
  /** Left out: 120,000. */
  timeoutMs?: number;
  execute(input: Input, ctx: ToolContext): unknown;
}

export type ToolDefinition<S extends Schema = any> = ToolConfig<S, any>;

export declare function defineTool<const S extends Schema>(tool: ToolConfig<S>): ToolConfig<S>;
