import { defineInstructions, prompt } from "@cursor/bdk";
import { prompt as again } from "@cursor/bdk/prompt";

export const text = defineInstructions("Be brief.");
export const fixed = defineInstructions({ markdown: again`Be brief, ${1}.` });

export default defineInstructions(async (ctx) => prompt`
  You help ${ctx.session.auth.id} of ${ctx.agent.name}.
  Team: ${process.env.TEAM_NAME}, since ${ctx.now().toISOString()}.
`);
