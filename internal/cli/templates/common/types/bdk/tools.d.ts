// Tools, for editors and tsc.

export interface HostKv {
  /** undefined where there is nothing under the key. */
  get<T = any>(key: string): Promise<T | undefined>;
  put(key: string, value: unknown, options?: { ttlSeconds?: number; ifVersion?: number }): Promise<{ version: number }>;
  delete(key: string): Promise<boolean>;
  list(options?: { prefix?: string; limit?: number; cursor?: string }): Promise<{
    entries: { key: string; value: any; version: number }[];
    cursor?: string;
  }>;
  /** Reads, changes and writes; again when somebody else wrote in between. */
  update<T = any>(key: string, change: (value: T | undefined) => T | Promise<T>): Promise<T>;
}

export interface HostFiles {
  write(path: string, content: string | Uint8Array, options?: { scope?: "deployment" }): Promise<void>;
  append(path: string, text: string, options?: { scope?: "deployment" }): Promise<void>;
  read(path: string, options?: { scope?: "deployment" }): Promise<Uint8Array>;
  readText(path: string, options?: { scope?: "deployment" }): Promise<string>;
  exists(path: string, options?: { scope?: "deployment" }): Promise<boolean>;
  delete(path: string, options?: { scope?: "deployment" }): Promise<boolean>;
  list(prefix?: string, options?: { scope?: "deployment" }): Promise<string[]>;
}

export interface ToolContext {
  session: {
    id: string;
    channelId: string;
    mode: "chat" | "task";
    purpose: "live" | "eval";
    dryRun: boolean;
    title?: string;
    auth: { kind: string; id: string; issuer?: string; tenant?: string };
  };
  agent: { name: string };
  toolCallId: string;
  turnId?: string;
  /** The session's asOf instant where it has one, else the time. */
  now(): Date;
  signal: AbortSignal;
  workspaceDir: string;
  stateRoot: string;
  host: { kv: HostKv; files: HostFiles };
  log: Record<"debug" | "info" | "warn" | "error", (message: string, fields?: Record<string, unknown>) => void>;
}

export interface ToolDefinition<Input = any> {
  description: string;
  /** A JSON Schema object, or a schema of Zod or another Standard Schema library. */
  inputSchema: unknown;
  outputSchema?: unknown;
  /** Whether a call changes something. Left out: "read". */
  effect?: "read" | "write" | ((input: Input) => "read" | "write");
  /** A write that may run again after a crash. */
  idempotent?: boolean;
  needsApproval?: boolean | ((input: Input, ctx: ToolContext) => boolean | Promise<boolean>);
  /** What a write answers in a dry run. */
  dryRunResult?: (input: Input, ctx: ToolContext) => unknown;
  timeArguments?: string[];
  timeoutMs?: number;
  execute(input: Input, ctx: ToolContext): unknown;
}

export declare function defineTool<Input = any>(tool: ToolDefinition<Input>): ToolDefinition<Input>;
