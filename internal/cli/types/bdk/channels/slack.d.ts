// @cursor/bdk/channels/slack: bot/channels/slack.ts. Its route is POST /v1/channels/slack.

import type { ChannelDefinition } from "../channels.js";
import type { Principal } from "../_events.js";
import type { ArtifactsApi, Host, Log, SlackAnswer } from "../_host.js";

export interface SlackMessage {
  /** What people see, without the mention of the bot that it begins with. */
  text: string;
  /** The text as Slack sends it. */
  body: string;
  /** name may be empty; isBot marks apps; team is the author's own workspace. */
  author: { id: string; name: string; isBot: boolean; team?: string };
  team: string;
  channel: string;
  ts: string;
  /** Left out for a message that is in no thread. */
  threadTs?: string;
  /** Names of what is attached. */
  files?: string[];
}

/** One message, and what a handler may use of the host. */
export interface SlackContext {
  kind: "mention" | "direct" | "post" | "command";
  /** Slack's own, the same when it delivers again. */
  deliveryId: string;
  team: string;
  /** Where the conversation is held. post writes there as it is, in Slack's own form. */
  thread: { channel: string; threadTs: string; post(text: string): Promise<SlackAnswer> };
  bot: { id: string };
  /** The event as Slack sent it. */
  payload: any;
  /** Lets work go on after the handler. */
  waitUntil(promise: Promise<unknown>): void;
  agent: { name: string };
  now(): Date;
  signal: AbortSignal;
  /** host.slack asks as the channel's own bot. */
  host: Host;
  artifacts: ArtifactsApi;
  log: Log;
}

/** null lets the message pass; else the session that it wakes. */
export type SlackWake =
  | null
  | undefined
  | {
      /** Owns a session that this opens. Left out: defaultSlackAuth(message, ctx). */
      auth?: Principal;
      title?: string;
      /** Lines behind the message. */
      context?: string[];
      /** Replaces what the channel says of the message. */
      message?: string;
    };

export type SlackMessageHandler = (ctx: SlackContext, message: SlackMessage) => SlackWake | void | Promise<SlackWake | void>;

export interface SlackChannelOptions {
  /** Stands before the names of the variables SLACK_BOT_TOKEN, SLACK_SIGNING_SECRET and SLACK_APP_TOKEN, and "_". */
  envPrefix?: string;
  reply?: {
    /** Posts the reply of a turn; posts and edits it as it grows; or posts nothing. Left out: post. */
    mode?: "post" | "stream" | "manual";
    /** What the thread shows while the agent is at work; false: nothing. */
    status?:
      | false
      | {
          /** While the model works. Left out: "is thinking…"; false: no status at all. */
          reasoning?: boolean | string;
          /** While a tool runs: true, a text for all, or texts by the tools' names and "*". {tool} is the name. */
          tools?: boolean | string | Record<string, string>;
          /** Shown in turns, at most ten. */
          idle?: string[];
        };
  };
  engagement?: {
    /** Posts of these channels wake the agent; debounceMs joins those that follow each other. */
    channelPosts?: { allow?: string[]; posts?: "top-level" | "all"; debounceMs?: number };
  };
  /** Mentions and slash commands. Without a handler each wakes the agent. */
  onAppMention?: SlackMessageHandler;
  onDirectMessage?: SlackMessageHandler;
  /** Watched posts; with it also those of other bots. */
  onChannelPost?: SlackMessageHandler;
  /** Shown in a new assistant thread, at most four. */
  suggestedPrompts?: { title: string; message: string }[];
  suggestedPromptsTitle?: string;
  /** Shows buttons for calls that wait for a person. */
  toolApprovals?: boolean;
}

export declare function slackChannel(options?: SlackChannelOptions): ChannelDefinition;

/** The author of the message, within the author's workspace. */
export declare function defaultSlackAuth(message: Pick<SlackMessage, "author"> & { team?: string }, ctx?: { team: string }): Principal;
