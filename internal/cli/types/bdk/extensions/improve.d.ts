// @cursor/bdk/extensions/improve: a hosted service that is no part of this host. A
// mount loads and lists its names; a call says that it is not here.

import type { ExtensionMount } from "../extensions.js";

export declare function improve(options?: Record<string, any>): ExtensionMount;
export default improve;
