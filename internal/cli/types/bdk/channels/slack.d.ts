// @cursor/bdk/channels/slack

import type { ChannelDefinition } from "../channels.js";
import type { Principal } from "../_events.js";
import type { Host, Log } from "../_host.js";

export interface SlackMessage {
  text: string;
  body: string;
  author: { id: string; name?: string; isBot: boolean };
  channel: string;
  threadTs?: string;
}

export interface SlackContext {
  thread: { post(text: string): Promise<unknown> };
  host: Host;
  log: Log;
}

/** null lets the message pass; else the session that it wakes. */
export type SlackWake = null | undefined | { auth: Principal; title?: string; context?: string[]; message?: string };

export type SlackMessageHandler = (ctx: SlackContext, message: SlackMessage) => SlackWake | Promise<SlackWake>;

export interface SlackChannelOptions {
  /** Stands before the names of the variables with the tokens, and "_". */
  envPrefix?: string;
  reply?: {
    mode?: "post" | "stream" | "manual";
    status?: { reasoning?: boolean | string; tools?: boolean | Record<string, string>; idle?: string[] };
  };
  engagement?: { channelPosts?: { allow?: string[]; posts?: "top-level" | "all"; debounceMs?: number } };
  onAppMention?: SlackMessageHandler;
  onDirectMessage?: SlackMessageHandler;
  onChannelPost?: SlackMessageHandler;
  suggestedPrompts?: { title: string; message: string }[];
  suggestedPromptsTitle?: string;
  /** Shows buttons for calls that wait for a person. */
  toolApprovals?: boolean;
}

export declare function slackChannel(options?: SlackChannelOptions): ChannelDefinition;
export declare function defaultSlackAuth(message: SlackMessage, ctx?: SlackContext): Principal;
