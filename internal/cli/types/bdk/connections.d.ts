// @cursor/bdk/connections: bot/mcp-connections/<name>.ts, which the model sees, and
// bot/host-connections/<name>.ts, for code alone.

interface ConnectionCommon {
  description?: string;
  /** The model sees each tool as <connection>__<tool>; left out, it reaches them through the tool mcp. */
  advertiseTools?: boolean;
  tools?: { allow?: string[]; deny?: string[] };
  /** For all tools, or by name. */
  needsApproval?: boolean | Record<string, boolean>;
  effect?: "read" | "write" | Record<string, "read" | "write">;
  /** One that cannot be reached is left out. */
  optional?: boolean;
}

/** A server over HTTP. ${NAME} in headers is filled from the environment when a client opens. */
export interface RemoteConnection extends ConnectionCommon {
  url: string | URL;
  headers?: Record<string, string>;
  /** The host obtains tokens: a person authorizes it once, by `bdk mcp oauth <connection>`. */
  oauth?: boolean | { clientId?: string; clientSecret?: string; scopes?: string[] };
}

/** A server that the host starts; it sees env, PATH, HOME and LANG alone. */
export interface CommandConnection extends ConnectionCommon {
  command: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
}

/** Another agent of this host, by its slug: it can be asked. */
export interface PeerConnection extends ConnectionCommon {
  agent: string;
}

export type ConnectionConfig = RemoteConnection | CommandConnection | PeerConnection;
export type ConnectionDefinition = ConnectionConfig;

export declare function defineConnection(connection: ConnectionConfig): ConnectionDefinition;
