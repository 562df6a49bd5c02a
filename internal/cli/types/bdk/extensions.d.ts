// @cursor/bdk/extensions: bot/extensions/<ns>.ts, and what a package exports for it.

import type { Parsed, Schema, Unparsed } from "./_json.js";

/** What a file in bot/extensions/ exports. */
export interface ExtensionMount {
  readonly extension?: true;
}

/**
 * Mounts the extension with its settings. The modules of the package have config, parsed and
 * with its defaults, once it is mounted; reading it earlier throws.
 */
export type Extension<C extends Schema | undefined> = (C extends Schema
  ? (settings: Unparsed<C>) => ExtensionMount
  : (settings?: Record<string, never>) => ExtensionMount) & {
  readonly config: C extends Schema ? Parsed<C> : undefined;
};

export interface ExtensionConfig<C extends Schema | undefined = undefined> {
  /** The folder of the package, laid out like the shareable part of bot/: import.meta.dirname. */
  root: string;
  description?: string;
  /** The settings that a mount must give. */
  config?: C;
}

export declare function defineExtension<const C extends Schema | undefined = undefined>(
  extension: ExtensionConfig<C>,
): Extension<C>;

/** A vendored Cursor or Claude plugin. */
export declare function cursorPlugin(plugin: {
  /** Its folder, relative to the project's; it may not lie outside. */
  path: string;
  /** Values for the placeholders ${NAME} of its MCP servers. */
  variables?: Record<string, string | undefined>;
}): ExtensionMount;

/** Takes one contribution of an extension away: the file lies where another would take its place. */
export interface Disabled {
  readonly disable: string;
}

export declare function disable(): Disabled;
export declare function disableTool(): Disabled;
export declare function disableHook(): Disabled;
export declare function disableSkill(): Disabled;
export declare function disableChannel(): Disabled;
export declare function disableSchedule(): Disabled;
export declare function disableSubagent(): Disabled;
export declare function disableConnection(): Disabled;
export declare function disableArtifact(): Disabled;
export declare function disableInstructions(): Disabled;
