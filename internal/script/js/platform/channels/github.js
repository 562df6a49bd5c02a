const names = "A-Za-z0-9._-";
const token = new RegExp(`^pr:([${names}]+)/([${names}]+)#([1-9][0-9]{0,17})$`);
const dots = /^\.+$/;

export const githubChannel = (options = {}) => __bdk.mark("channel", { ...options, pack: "github" });

// defaultGitHubAuth is the sender of the event, within the repository's owner.
export const defaultGitHubAuth = (ctx) => ({ kind: "github", id: ctx.sender.login, tenant: ctx.repository.owner });

// parseGitHubPrContinuationKey reads pr:owner/repo#n; null for any other token.
export function parseGitHubPrContinuationKey(text) {
  const [, owner, repo, number] = token.exec(String(text)) ?? [];
  if (number === undefined || dots.test(owner) || dots.test(repo)) return null;
  return { owner, repo, number: Number(number) };
}
