// @cursor/bdk/artifacts: bot/artifacts.ts.

import type { Schema } from "./_json.js";

export interface ArtifactKind {
  description: string;
  /** Of the data; what it makes of it is stored. */
  schema?: Schema;
}

export interface ArtifactsConfig {
  /** With kinds declared, another kind is an error. */
  kinds?: Record<string, ArtifactKind>;
  /** Gives the model a tool that tags artifacts. */
  agentTool?: boolean;
  /** How many are kept, the newest-updated. Left out: 1,000. */
  max?: number;
}

export type ArtifactsDefinition = ArtifactsConfig;

export declare function defineArtifacts<const A extends ArtifactsConfig>(artifacts: A): A;

export type { ArtifactRecord } from "./_events.js";
export type { ArtifactsApi, TagArtifact } from "./_host.js";
