// @cursor/bdk/channels/github: bot/channels/github.ts. Its route is POST /v1/channels/github.

import type { ChannelDefinition, ChannelHost } from "../channels.js";
import type { Principal } from "../_events.js";

/** One webhook event, and what a handler may use of the host. */
export interface GitHubContext extends ChannelHost {
  /** Such as "pull_request". */
  event: string;
  /** Such as "opened". */
  action: string;
  /** GitHub's own, the same when it delivers again. */
  deliveryId: string;
  repository: { owner: string; name: string; fullName: string; url: string; private: boolean; defaultBranch: string };
  /** Whose doing the event is; bot marks apps. */
  sender: { login: string; bot: boolean };
  /** Of the app; left out where the webhook is not an app's. */
  installationId?: number;
  /** The event as GitHub sent it. */
  payload: any;
  /** Lets work go on after the handler. */
  waitUntil(promise: PromiseLike<unknown>): void;
}

/** Such as OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, NONE. */
type Association = string;

export interface GitHubPullRequest {
  number: number;
  url: string;
  action: string;
  draft: boolean;
  merged: boolean;
  state: string;
  title: string;
  body: string;
  headSha: string;
  headRef: string;
  baseRef: string;
  /** The changes come from another repository. */
  fork: boolean;
  author: string;
  authorAssociation: Association;
  labels: string[];
}

export interface GitHubIssue {
  number: number;
  url: string;
  action: string;
  state: string;
  title: string;
  body: string;
  author: string;
  authorAssociation: Association;
  labels: string[];
}

/** A new comment, or a new review that has a text. */
export interface GitHubComment {
  id: number;
  url: string;
  /** Below an issue or pull request, the text of a review, or at a line of the changes. */
  kind: "issue" | "review" | "line";
  body: string;
  author: string;
  authorAssociation: Association;
  /** Of the issue or pull request, as title and state are. */
  number: number;
  title: string;
  state: string;
  isPullRequest: boolean;
  path?: string;
  line?: number;
}

interface Run {
  id: number;
  url: string;
  name: string;
  action: string;
  status: string;
  /** Empty until it has ended. */
  conclusion: string;
  headSha: string;
  /** Numbers; the first one's conversation is woken. */
  pullRequests: number[];
}

export interface GitHubCheckRun extends Run {
  /** The slug of the app that runs it. */
  app: string;
}

export interface GitHubWorkflowRun extends Run {
  /** What started it, such as "push". */
  event: string;
  headBranch: string;
  attempt: number;
}

/** null lets the event pass; else the session that it wakes. */
export type GitHubWake =
  | null
  | undefined
  | {
      /** Owns a session that this opens. Left out: defaultGitHubAuth(ctx). */
      auth?: Principal;
      title?: string;
      /** Lines behind the message. */
      context?: string[];
      /** Replaces what the channel says of the event. */
      message?: string;
    };

export type GitHubHandler<T> = (ctx: GitHubContext, subject: T) => GitHubWake | void | Promise<GitHubWake | void>;

/** Events that the channel knows. */
export type GitHubEvent =
  | "pull_request"
  | "issues"
  | "issue_comment"
  | "pull_request_review"
  | "pull_request_review_comment"
  | "check_run"
  | "workflow_run";

export interface GitHubChannelOptions {
  /** The login that people mention. Left out: the account of the token or app. */
  botName?: string;
  /** Left out: GITHUB_WEBHOOK_SECRET. */
  webhookSecret?: string | undefined;
  /** Left out, with privateKey: GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY. */
  appId?: string | number | undefined;
  privateKey?: string | undefined;
  /** Left out: GITHUB_TOKEN. */
  token?: string | undefined;
  /** Left out: GITHUB_API_URL, or https://api.github.com. */
  apiUrl?: string | undefined;
  /** The only events that are looked at. Left out: all. */
  webhookEvents?: GitHubEvent[];
  /** Replies become comments. Left out: true. */
  deliverReplies?: boolean;
  progress?: {
    /** Eyes under what woke the agent. Left out: true. */
    reactions?: boolean;
    /** A status on the head of the pull request. Left out: false. */
    commitStatus?: boolean;
    /** One comment that is edited. Left out: false. */
    banner?: boolean;
  };
  /** Without a handler, a mention of the bot in a new text wakes the agent. */
  onPullRequest?: GitHubHandler<GitHubPullRequest>;
  onIssue?: GitHubHandler<GitHubIssue>;
  onComment?: GitHubHandler<GitHubComment>;
  onCheckRun?: GitHubHandler<GitHubCheckRun>;
  onWorkflowRun?: GitHubHandler<GitHubWorkflowRun>;
}

export declare function githubChannel(options?: GitHubChannelOptions): ChannelDefinition;

/** The sender of the event, within the repository's owner. */
export declare function defaultGitHubAuth(ctx: Pick<GitHubContext, "sender" | "repository">): Principal;

/** Reads pr:owner/repo#n; null for any other continuation token. */
export declare function parseGitHubPrContinuationKey(token: unknown): { owner: string; repo: string; number: number } | null;
