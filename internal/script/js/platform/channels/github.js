export const githubChannel = (options = {}) => __bdk.mark("channel", { pack: "github", ...options });
export const defaultGitHubAuth = (...args) => ({ policy: "github", args });
