// What the host gives to tools, hooks, channels and schedules.

import type { ArtifactRecord, Principal } from "./_events.js";
import type { JsonValue } from "./_json.js";

type Awaitable<T> = T | Promise<T>;

/** The new version of a value. It may be ignored, as void is. */
export type Written = void & { readonly version: number };

/** Durable JSON, one space for all sessions of the agent. On disk before a write returns. */
export interface HostKvApi {
  /** undefined where there is nothing under the key. */
  get<T = any>(key: string): Promise<T | undefined>;
  /** Takes what JSON.stringify takes. With ifVersion it throws when another version is there; 0 is none. */
  put(key: string, value: any, options?: { ttlSeconds?: number; ifVersion?: number }): Promise<Written>;
  /** Says whether there was something. That may be ignored, as void is. */
  delete(key: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  list<T = any>(options?: {
    prefix?: string;
    limit?: number;
    cursor?: string;
  }): Promise<{ entries: { key: string; value: T; version: number }[]; cursor?: string }>;
  /** Reads, changes and writes; again when somebody else wrote in between. */
  update<T = any>(key: string, change: (value: T | undefined) => Awaitable<T>): Promise<T>;
}

/** Where a file belongs: the session, or the agent as a whole. */
export interface FileScope {
  scope?: "session" | "deployment";
}

/** Durable files. Paths are relative, with slashes. */
export interface HostFilesApi {
  write(path: string, content: string | Uint8Array, options?: FileScope): Promise<void>;
  /** One record, whole or not at all. */
  append(path: string, text: string | Uint8Array, options?: FileScope): Promise<void>;
  read(path: string, options?: FileScope): Promise<Uint8Array>;
  readText(path: string, options?: FileScope): Promise<string>;
  exists(path: string, options?: FileScope): Promise<boolean>;
  /** Says whether there was a file. That may be ignored, as void is. */
  delete(path: string, options?: FileScope): Promise<boolean>;
  delete(path: string, options?: FileScope): Promise<void>;
  list(prefix?: string, options?: FileScope): Promise<string[]>;
  list(options: FileScope): Promise<string[]>;
}

type Tags = Record<string, string | number | boolean>;

/** Counters, histograms and tags of the session, sent where telemetry is set up. */
export interface HostOtelApi {
  increment(name: string, n?: number, tags?: Tags): void;
  increment(name: string, tags: Tags): void;
  record(name: string, value: number, tags?: Tags): void;
  tag(key: string, value: string | number | boolean): void;
}

export type HostMcpContent =
  | { type: "text"; text: string }
  | { type: "image"; data: string; mimeType: string }
  | { type: "audio"; data: string; mimeType: string }
  | { type: "resource"; resource: { uri: string; mimeType?: string; text?: string; blob?: string } }
  | { type: "resource_link"; uri: string; name: string; description?: string; mimeType?: string };

export interface HostMcpCallResult {
  content: HostMcpContent[];
  structuredContent?: any;
  isError?: boolean;
}

/** The agent's connections. */
export interface HostMcpApi {
  names(): string[];
  listTools(connection: string): Promise<{ name: string; description?: string; inputSchema?: any; [field: string]: any }[]>;
  callTool(connection: string, tool: string, args?: Record<string, unknown>): Promise<HostMcpCallResult>;
  readResource(
    connection: string,
    uri: string,
  ): Promise<{ contents: { uri: string; mimeType?: string; text?: string; blob?: string }[] }>;
}

type Params = Record<string, any>;
type GitHubUser = { login: string; [field: string]: any } | null;
type Answer<T> = Promise<{ data: T; status: number; headers: Record<string, string | undefined> }>;

export interface GitHubPull {
  number: number;
  title: string;
  body: string | null;
  state: string;
  draft?: boolean;
  html_url: string;
  user: GitHubUser;
  additions: number;
  deletions: number;
  changed_files: number;
  head: { sha: string; ref: string; [field: string]: any };
  base: { sha: string; ref: string; [field: string]: any };
  [field: string]: any;
}

export interface GitHubFile {
  filename: string;
  status: string;
  additions: number;
  deletions: number;
  changes: number;
  patch?: string;
  [field: string]: any;
}

export interface GitHubIssue {
  number: number;
  title: string;
  body?: string | null;
  state: string;
  html_url: string;
  user: GitHubUser;
  [field: string]: any;
}

export interface GitHubMade {
  id: number;
  html_url: string;
  [field: string]: any;
}

/** The REST calls of GitHub that the host serves. An answer that is no success rejects with an error that has a status. */
export interface GitHubClient {
  rest: {
    pulls: {
      get(params: Params): Answer<GitHubPull>;
      list(params: Params): Answer<GitHubPull[]>;
      listFiles(params: Params): Answer<GitHubFile[]>;
      listCommits(params: Params): Answer<any[]>;
      listReviews(params: Params): Answer<any[]>;
      create(params: Params): Answer<GitHubPull>;
      update(params: Params): Answer<GitHubPull>;
      merge(params: Params): Answer<any>;
      createReview(params: Params): Answer<GitHubMade>;
    };
    issues: {
      get(params: Params): Answer<GitHubIssue>;
      /** Of a repository where params name one, else those of the account. */
      list(params?: Params): Answer<GitHubIssue[]>;
      listForRepo(params: Params): Answer<GitHubIssue[]>;
      listComments(params: Params): Answer<any[]>;
      create(params: Params): Answer<GitHubIssue>;
      update(params: Params): Answer<GitHubIssue>;
      createComment(params: Params): Answer<GitHubMade>;
      updateComment(params: Params): Answer<GitHubMade>;
      addLabels(params: Params): Answer<any[]>;
    };
    repos: {
      get(params: Params): Answer<any>;
      getContent(params: Params): Answer<any>;
      getCommit(params: Params): Answer<any>;
      createCommitStatus(params: Params): Answer<GitHubMade>;
    };
  };
  /** Any other route: "GET /repos/{owner}/{repo}", with what fills it and the query or the body. */
  request(route: string, params?: Params): Answer<any>;
}

export interface SlackAnswer {
  ok: boolean;
  error?: string;
  [field: string]: any;
}

type SlackMethod = (params?: Params) => Promise<SlackAnswer>;

/** The methods of Slack that the host serves. An answer that is not ok rejects with an error whose data is the answer. */
export interface SlackClient {
  chat: { postMessage: SlackMethod; postEphemeral: SlackMethod; update: SlackMethod; delete: SlackMethod; getPermalink: SlackMethod };
  reactions: { add: SlackMethod; get: SlackMethod; remove: SlackMethod };
  conversations: {
    history: SlackMethod;
    replies: SlackMethod;
    info: SlackMethod;
    list: SlackMethod;
    members: SlackMethod;
    open: SlackMethod;
  };
  users: { info: SlackMethod; list: SlackMethod; lookupByEmail: SlackMethod };
  files: { getUploadURLExternal: SlackMethod; completeUploadExternal: SlackMethod; info: SlackMethod };
  apiCall(method: string, params?: Params): Promise<SlackAnswer>;
}

/**
 * When a reminder is due: once at an instant (an ISO 8601 text has a zone) or after a while
 * (milliseconds, or a text such as "90s", "2h" or "1d12h"), or by a cron expression.
 */
export type ReminderTime =
  | { at: string | Date; in?: undefined; cron?: undefined }
  | { in: string | number; at?: undefined; cron?: undefined }
  | { cron: string; at?: undefined; in?: undefined };

/** Reminders of a chat session: at its time the session gets the message as a turn. */
export interface HostRemindersApi {
  /** The same key replaces. */
  set(
    reminder: ReminderTime & { timeZone?: string; message: string; key?: string; data?: JsonValue },
  ): Promise<{ id: string }>;
  /** By their time; at is when one fires next. */
  list(): Promise<{ id: string; key?: string; at: string; cron?: string; timeZone?: string; message: string; data?: any }[]>;
  /** Says whether there was one. */
  cancel(idOrKey: string): Promise<boolean>;
}

export interface Host {
  kv: HostKvApi;
  files: HostFilesApi;
  otel: HostOtelApi;
  mcp: HostMcpApi;
  github: { getOctokit(): Promise<GitHubClient> };
  slack: { getClient(): Promise<SlackClient> };
  reminders: HostRemindersApi;
}

export interface TagArtifact {
  /** Left out: "artifact". */
  kind?: string;
  /** Unique in its kind for each owner: tagging again updates the record and keeps its id. */
  key: string;
  title?: string;
  /** Held against the kind's schema, where it has one. */
  data?: any;
  contents?: string | Uint8Array;
  contentType?: string;
  fileName?: string;
}

/** What a session, or its agent, made. On disk before a call returns. */
export interface ArtifactsApi {
  tag(artifact: TagArtifact): Promise<ArtifactRecord>;
  /** Newest-updated first. */
  list(options?: { kind?: string; sessionId?: string; limit?: number }): Promise<ArtifactRecord[]>;
}

type LogLine = (message: string, fields?: Record<string, unknown>) => void;

/** Lines of the host's log. */
export interface Log {
  debug: LogLine;
  info: LogLine;
  warn: LogLine;
  error: LogLine;
}

/** What is known of a session. It does not change. */
export interface SessionInfo {
  readonly id: string;
  readonly channelId: string;
  readonly mode: "chat" | "task";
  readonly purpose: "live" | "eval";
  readonly dryRun: boolean;
  readonly title?: string;
  readonly auth: Principal;
  /** Never set by this host. */
  readonly sdkAgentId?: string;
}

/** Where a session is continued. */
export interface SessionHandle {
  id: string;
  continuationToken?: string;
  /** Waits until the turn has ended or is parked. */
  waitForCompletion(): Promise<{
    status: "finished" | "failed" | "cancelled" | "parked";
    /** The reply's text, or what result.ts made of it. */
    result?: any;
    errorMessage?: string;
  }>;
}

/** Files for a session's workspace: a path to a text, to bytes, or to base64. */
export type WorkspaceFiles = Record<string, string | Uint8Array | { base64: string }>;
