export const slackChannel = (options = {}) => __bdk.mark("channel", { ...options, pack: "slack" });

// defaultSlackAuth is the author of the message, within the author's workspace.
export const defaultSlackAuth = (message, ctx) => ({ kind: "slack", tenant: message.author.team || message.team || ctx?.team, id: message.author.id });
