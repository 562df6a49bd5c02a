// @cursor/bdk/extensions/jev: a hosted service that is no part of this host. A mount
// loads and lists its names; a call says that it is not here.

import type { ExtensionMount } from "../extensions.js";

export declare function jev(options?: Record<string, any>): ExtensionMount;
export default jev;

export declare const decide: (...args: any[]) => Promise<Record<string, any>>;
