export const memoryHook = (options = {}) => __bdk.mark("memoryHook", { ...options });
