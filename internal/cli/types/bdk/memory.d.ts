// @cursor/bdk/memory

import type { Usage } from "./_events.js";
import type { HookContext, HookDefinition } from "./hooks.js";
import type { JsonValue } from "./_json.js";

/** One line of the journal: a turn that has ended. */
export interface MemoryEntry {
  at: string;
  sessionId: string;
  channelId: string;
  status: "completed" | "failed" | "cancelled";
  title?: string;
  userMessage: string;
  /** What the turn gave, or why it failed. */
  result: JsonValue;
  usage?: Usage;
  /** Whose turn it was, where each owner has a journal of their own. */
  owner?: string;
}

/** Another store for the journal. */
export interface MemoryBackend {
  /** Keeps one line: the JSON of a MemoryEntry. */
  append(line: string, ctx: HookContext): unknown;
}

export interface MemoryOptions {
  backend?: MemoryBackend;
  /** "deployment" is one journal for all users, the default; "principal" is one for each owner. */
  scope?: "deployment" | "principal";
}

/** Writes one line for each turn that ends into a journal that later sessions can read. */
export declare function memoryHook(options?: MemoryOptions): HookDefinition;
