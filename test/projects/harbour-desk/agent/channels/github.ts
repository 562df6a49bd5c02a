import { defaultGitHubAuth, githubChannel } from "@cursor/july/channels/github";

export default githubChannel({
  botName: "harbour-desk",
  webhookEvents: ["pull_request"],
  deliverReplies: false,
  progress: { reactions: false },
  onPullRequest: (ctx, pr) =>
    pr.action !== "opened" || pr.draft ? null : { auth: defaultGitHubAuth(ctx), title: `${ctx.repository.fullName}#${pr.number}`, context: [`Look at ${pr.url}.`] },
});
