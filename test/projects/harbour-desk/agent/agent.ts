import { defineAgent, type ModelSetting } from "@cursor/july";

const model: ModelSetting | undefined = process.env.HARBOUR_MODEL ? { id: process.env.HARBOUR_MODEL, params: [{ id: "effort", value: "low" }] } : undefined;

export default defineAgent({
  name: "Harbour desk",
  description: "Takes reports of what is broken, and has the yard mend it once a warden agrees.",
  model,
  runtime: "local",
  hosting: { egressDomains: ["api.github.com"], secretNames: ["YARD_TOKEN"] },
});
