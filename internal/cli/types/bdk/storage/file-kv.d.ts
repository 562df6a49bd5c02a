// @cursor/bdk/storage/file-kv: accepted, and not used: storage is the host's own.

export declare function fileKv(options?: Record<string, any>): Record<string, any>;
