// @cursor/bdk: what a project's files import, for editors and tsc. bdk answers
// these imports itself when it runs the project. `bdk validate --types` writes
// these files anew.

/// <reference path="./globals.d.ts" />

import type { AuthPolicy } from "./channels.js";
import type { Principal } from "./_events.js";
import type { ArtifactsApi, Host, Log, SessionInfo } from "./_host.js";
import type { JsonSchemaObject, Parsed, Schema } from "./_json.js";

export { defineTool } from "./tools.js";
export { prompt } from "./prompt.js";

export type { JsonObject, JsonSchemaObject, JsonValue, Schema, StandardSchema } from "./_json.js";
export type {
  ArtifactRecord,
  Cost,
  Principal,
  SessionEvent,
  SessionEventData,
  SessionEventOf,
  SessionEventType,
  Usage,
} from "./_events.js";
export type {
  ArtifactsApi,
  GitHubClient,
  Host,
  HostFilesApi,
  HostKvApi,
  HostMcpApi,
  HostMcpCallResult,
  HostMcpContent,
  HostOtelApi,
  HostRemindersApi,
  Log,
  SessionHandle,
  SessionInfo,
  SlackClient,
  WorkspaceFiles,
} from "./_host.js";
export type { ToolContext, ToolDefinition, ToolExecuteResult, ToolResultContent } from "./tools.js";
export type { HookContext, HookDefinition } from "./hooks.js";
export type { AuthPolicy, ChannelContext, ChannelDefinition, ChannelEventContext, SendOptions } from "./channels.js";

/** A setting of a model, such as effort or temperature. */
export interface ModelParam {
  id: string;
  value: string | number | boolean;
}

/** A model with settings; given ones take the place of the defaults as a whole. */
export interface ModelSetting {
  id: string;
  params?: ModelParam[];
}

/** "provider/name", or with settings. */
export type ModelSelection = string | ModelSetting;

/** The workspace tools that the model may have. */
export type HarnessTool = "read" | "write" | "edit" | "ls" | "glob" | "grep" | "shell";

export interface AgentConfig {
  /** Left out: the first provider whose key is set, else the offline model. */
  model?: ModelSelection | undefined;
  /** What people read. Left out: the name in package.json. */
  name?: string | undefined;
  /** Required on a subagent. */
  description?: string | undefined;
  /** On a subagent alone; the agent itself has bot/instructions.md. */
  instructions?: string;
  /** Which workspace tools the model has; left out, all of them. */
  tools?: (HarnessTool | (string & {}))[];
  local?: {
    /** Work in this folder instead of one for each session. */
    cwd?: string;
    workspaceDir?: string;
    /** false is "off", true is "workspace". */
    sandbox?: boolean | "workspace" | "off";
    /** Whether AGENTS.md and rules of the folders above contribute. */
    ambient?: boolean;
  };
  concurrency?: { maxRunningTurns?: number };
  limits?: {
    /** Left out: 100. */
    maxSteps?: number;
    turnTimeoutMs?: number;
    maxOutputTokens?: number;
    maxTurnUsd?: number;
    maxSessionUsd?: number;
    maxSessionTokens?: number;
  };
  /** How long a call may wait for a person; left out, for ever. */
  approvals?: { timeoutMs?: number };
  /** At how much of the context window a conversation is summed up. Left out: 90. */
  compaction?: { thresholdPercent?: number };
  /** Who may call the HTTP routes of the agent. */
  auth?: AuthPolicy[];
  /** Accepted and shown by bdk info; it does nothing here. */
  hosting?: Record<string, any>;
  /** Accepted and shown by bdk info; it does nothing here. */
  persistent?: boolean | Record<string, any>;
  /** Accepted and shown by bdk info; it does nothing here. */
  architecture?: string;
  /** Accepted and shown by bdk info; it does nothing here. */
  cloud?: Record<string, any>;
  /** This host runs "local" agents. */
  runtime?: "local" | (string & {});
}

export type AgentDefinition = AgentConfig;

/** bot/agent.ts, and bot/subagents/<id>/agent.ts. */
export declare function defineAgent<const A extends AgentConfig>(agent: A): A;

/** What instructions may know of the session that they are for. */
export interface InstructionsContext {
  session: SessionInfo;
  agent: { readonly name: string };
  channel: { readonly id: string; readonly continuationToken: string | null };
  readonly stateRoot: string;
  host: Host;
  log: Log;
  signal: AbortSignal;
  now(): Date;
}

/** A text, or what makes it for a session. */
export type InstructionsText = string | ((ctx: InstructionsContext) => string | Promise<string>);

export type Instructions = InstructionsText | { markdown: InstructionsText };

/** bot/instructions.ts. A function is asked once for each session. */
export declare function defineInstructions<const I extends Instructions>(instructions: I): I;

/** What a reply becomes: the result, a reason to try again, or a reason to fail. */
export type Verdict =
  | { result: any; retry?: undefined; fail?: undefined }
  | { retry: string; result?: undefined; fail?: undefined }
  | { fail: string; result?: undefined; retry?: undefined };

export interface ResultContext {
  session: SessionInfo;
  agent: { readonly name: string };
  channel: { readonly id: string; readonly continuationToken: string | null };
  readonly stateRoot: string;
  turnId?: string;
  host: Host;
  artifacts: ArtifactsApi;
  readonly workspaceDir: string;
  log: Log;
  signal: AbortSignal;
  now(): Date;
}

export interface ResultConfig<S extends Schema = Schema> {
  /** Of the result. Without resolve, the JSON of the reply, bare or fenced, is held against it. */
  schema?: S;
  resolve?(
    reply: { text: string; turn: { id: string; message: string; repairs: number } },
    ctx: ResultContext,
  ): Verdict | Promise<Verdict>;
  /** How often a reply may be told to try again in its turn. Left out: 2. */
  maxRepairs?: number;
}

export type ResultDefinition = ResultConfig;

/** bot/result.ts: judges the reply of each turn. */
export declare function defineResult<const S extends Schema = JsonSchemaObject>(result: ResultConfig<S>): ResultConfig<S>;

/** The value that a schema describes. */
export type Infer<S extends Schema> = Parsed<S>;

/** @deprecated A host is started with `bdk serve --dir …` here, or from Go. Calling this throws. */
export declare function serve(dir: string, options?: Record<string, unknown>): never;

export type { Principal as SessionAuth };
