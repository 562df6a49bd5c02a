// @cursor/bdk/storage/cursor-hosted: accepted, and not used: storage is the host's own.

export declare function cursorHostedStorage(options?: Record<string, any>): Record<string, any>;
