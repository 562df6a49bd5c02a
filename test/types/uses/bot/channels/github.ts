import { defaultGitHubAuth, githubChannel, parseGitHubPrContinuationKey } from "@cursor/bdk/channels/github";
import type { GitHubChannelOptions, GitHubComment, GitHubContext } from "@cursor/bdk/channels/github";

const credentials: GitHubChannelOptions = { appId: 4711, privateKey: process.env.GITHUB_APP_PRIVATE_KEY, webhookSecret: process.env.GITHUB_WEBHOOK_SECRET, apiUrl: undefined };

async function onComment(ctx: GitHubContext, comment: GitHubComment) {
  ctx.log.info(`${ctx.event} ${ctx.action} ${ctx.deliveryId} by ${ctx.sender.login}`);
  if (!["OWNER", "MEMBER"].includes(comment.authorAssociation)) return null;
  const octokit = await ctx.host.github.getOctokit();
  const { data: comments } = await octokit.rest.issues.listComments({ ...ctx.repository, repo: ctx.repository.name, issue_number: comment.number });
  return { message: comment.body, context: [`${comments.length} comments before.`, comment.isPullRequest ? `line ${comment.line ?? 0}` : ""] };
}

export default githubChannel({
  ...credentials,
  botName: "reviewer",
  webhookEvents: ["pull_request", "issue_comment", "check_run"],
  deliverReplies: false,
  progress: { reactions: false, commitStatus: true, banner: true },
  onPullRequest: (ctx, pr) => {
    if (pr.action !== "opened" || pr.draft || pr.fork) return null;
    const ref = parseGitHubPrContinuationKey(`pr:${ctx.repository.fullName}#${pr.number}`);
    return { auth: defaultGitHubAuth(ctx), title: `Review ${ref?.owner}/${ref?.repo}#${ref?.number}`, context: [pr.url] };
  },
  onIssue: () => {},
  onComment,
  onCheckRun: (ctx, run) => (run.conclusion === "failure" && run.pullRequests.length > 0 ? { message: `${run.app}: ${run.name}` } : null),
  onWorkflowRun: (ctx, run) => (run.attempt > 1 ? null : { context: [run.headBranch, run.event] }),
});
