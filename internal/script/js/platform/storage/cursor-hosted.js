// cursorHostedStorage names the vendor's storage; the host has its own.
export const cursorHostedStorage = (options = {}) => ({ backend: "cursor-hosted", ...options });
