import cursorCloudAgents, {
  cancelCloudAgent,
  cursorCloudAgents as named,
  dumpCloudAgent,
  getCloudAgent,
  launchCloudAgent,
  listCloudAgents,
  replyToCloudAgent,
} from "@cursor/bdk/extensions/cursor-cloud-agents";
import cursorGrokBotAgents, { askGrokBot, checkGrokBot, cursorGrokBotAgents as bots, listGrokBots } from "@cursor/bdk/extensions/cursor-grokbot-agents";
import improve, { improve as again } from "@cursor/bdk/extensions/improve";
import jev, { decide, jev as judge } from "@cursor/bdk/extensions/jev";

export const mounts = [
  named({ model: { id: "m" }, needsApproval: false }),
  cursorGrokBotAgents({ agents: ["a"], pollIntervalMs: 400 }),
  bots({ agents: [] }),
  improve({}),
  again(),
  jev({}),
  judge(),
];

export async function all(ctx: unknown): Promise<object> {
  const launched = await launchCloudAgent(ctx, { name: "n", prompt: "p", cloud: { repos: [{ url: "u" }] } });
  for (const call of [getCloudAgent, listCloudAgents, dumpCloudAgent, replyToCloudAgent, cancelCloudAgent]) await call(ctx);
  for (const call of [askGrokBot, checkGrokBot, listGrokBots, decide]) await call(ctx, {});
  return { url: "u", ...launched };
}

export default cursorCloudAgents({ cloud: { repos: [{ url: "u", startingRef: "main" }], autoCreatePR: true } });
