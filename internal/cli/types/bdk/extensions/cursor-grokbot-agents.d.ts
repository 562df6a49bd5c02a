// @cursor/bdk/extensions/cursor-grokbot-agents: a hosted service that is no part of
// this host. A mount loads and lists its names; a call says that it is not here.

import type { ExtensionMount } from "../extensions.js";

export interface GrokBotAgentsOptions {
  agents?: string[];
  pollIntervalMs?: number;
  [field: string]: any;
}

export declare function cursorGrokBotAgents(options?: GrokBotAgentsOptions): ExtensionMount;
export default cursorGrokBotAgents;

type Refused = (...args: any[]) => Promise<Record<string, any>>;

export declare const askGrokBot: Refused;
export declare const checkGrokBot: Refused;
export declare const listGrokBots: Refused;
