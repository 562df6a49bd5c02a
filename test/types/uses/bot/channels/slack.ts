import { defaultSlackAuth, slackChannel, type SlackMessage, type SlackMessageHandler } from "@cursor/bdk/channels/slack";

const bot = (message: SlackMessage): boolean => message.author.isBot;

const post: SlackMessageHandler = async (ctx, message) => {
  if (bot(message)) return null;
  await ctx.thread.post("Looking at it.");
  return { auth: defaultSlackAuth(message, ctx), title: message.text, context: [message.body] };
};

export default slackChannel({
  envPrefix: "DESK",
  engagement: { channelPosts: { allow: ["C0123456789"], posts: "top-level", debounceMs: 15_000 } },
  onChannelPost: post,
  onAppMention: post,
  onDirectMessage: post,
  reply: { mode: "post", status: { reasoning: true, tools: true, idle: ["Thinking"] } },
  suggestedPrompts: [{ title: "Ask", message: "What is open?" }],
  suggestedPromptsTitle: "Desk",
  toolApprovals: true,
});
