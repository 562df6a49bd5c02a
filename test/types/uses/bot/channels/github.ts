import { defaultGitHubAuth, githubChannel } from "@cursor/bdk/channels/github";

export default githubChannel({
  botName: "reviewer",
  webhookEvents: ["pull_request"],
  deliverReplies: false,
  progress: { reactions: false },
  onPullRequest: (ctx, pr) => {
    if (pr.action !== "opened" || pr.draft) return null;
    return { auth: defaultGitHubAuth(ctx), title: `Review ${ctx.repository.fullName}#${pr.number}`, context: [pr.url] };
  },
});
