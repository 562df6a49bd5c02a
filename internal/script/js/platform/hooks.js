export const defineHook = (hook) => __bdk.mark("hook", hook);
