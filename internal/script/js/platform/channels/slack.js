export const slackChannel = (options = {}) => __bdk.mark("channel", { pack: "slack", ...options });
export const defaultSlackAuth = (...args) => ({ policy: "slack", args });
