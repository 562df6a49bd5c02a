import { defineInstructions, prompt } from "@cursor/bdk";
import { prompt as again } from "@cursor/bdk/prompt";

export const text = defineInstructions("Be brief.");
export const made = defineInstructions({ markdown: (ctx) => `Over ${ctx.channel.id}, ${ctx.stateRoot}.` });
// @ts-expect-error The host takes a text from a function, and nothing else.
export const wrong = defineInstructions(() => ({ markdown: "x" }));
export const fixed = defineInstructions({ markdown: again`Be brief, ${1}.` });

export default defineInstructions(async (ctx) => prompt`
  You help ${ctx.session.auth.id} of ${ctx.agent.name}.
  Team: ${process.env.TEAM_NAME}, since ${ctx.now().toISOString()}.
`);
