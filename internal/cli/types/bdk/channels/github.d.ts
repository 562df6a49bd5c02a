// @cursor/bdk/channels/github

import type { ChannelDefinition } from "../channels.js";
import type { Principal } from "../_events.js";
import type { Host, Log } from "../_host.js";

export interface GitHubContext {
  repository: { owner: string; name: string; fullName: string };
  sender?: { login: string };
  host: Host;
  log: Log;
}

export interface GitHubPullRequest {
  number: number;
  url: string;
  action: string;
  draft: boolean;
  title: string;
  headSha: string;
  baseRef: string;
  author: string;
}

/** null lets the event pass; else the session that it wakes. */
export type GitHubWake = null | undefined | { auth: Principal; title?: string; context?: string[]; message?: string };

type Handler<T> = (ctx: GitHubContext, subject: T) => GitHubWake | Promise<GitHubWake>;

export interface GitHubChannelOptions {
  botName?: string;
  webhookSecret?: string;
  appId?: string | number;
  privateKey?: string;
  token?: string;
  apiUrl?: string;
  webhookEvents?: string[];
  /** Replies become comments. Left out: true. */
  deliverReplies?: boolean;
  progress?: { reactions?: boolean; commitStatus?: boolean; banner?: boolean };
  onPullRequest?: Handler<GitHubPullRequest>;
  onIssue?: Handler<{ number: number; url: string; action: string; title: string; author: string; [field: string]: any }>;
  onComment?: Handler<{ body: string; url: string; author: string; [field: string]: any }>;
  onCheckRun?: Handler<Record<string, any>>;
  onWorkflowRun?: Handler<Record<string, any>>;
}

export declare function githubChannel(options?: GitHubChannelOptions): ChannelDefinition;
export declare function defaultGitHubAuth(ctx: GitHubContext): Principal;
