// @cursor/bdk/extensions/cursor-cloud-agents: a hosted service that is no part of
// this host. A mount loads and lists its names; a call says that it is not here.

import type { ExtensionMount } from "../extensions.js";

export interface CloudAgentsOptions {
  cloud?: { repos?: { url: string; startingRef?: string; prUrl?: string }[]; autoCreatePR?: boolean; [field: string]: any };
  model?: any;
  needsApproval?: boolean;
  [field: string]: any;
}

export declare function cursorCloudAgents(options?: CloudAgentsOptions): ExtensionMount;
export default cursorCloudAgents;

type Refused = (...args: any[]) => Promise<Record<string, any>>;

export declare const launchCloudAgent: Refused;
export declare const getCloudAgent: Refused;
export declare const listCloudAgents: Refused;
export declare const dumpCloudAgent: Refused;
export declare const replyToCloudAgent: Refused;
export declare const cancelCloudAgent: Refused;
