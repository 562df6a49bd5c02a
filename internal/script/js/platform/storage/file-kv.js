// fileKv names where the original would keep its storage; the host has its own.
export const fileKv = (options = {}) => ({ backend: "file-kv", ...options });
