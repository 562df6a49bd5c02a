import { type AgentConfig, defineAgent, type ModelSetting, serve } from "@cursor/bdk";
import { allowAll, localDevStrict } from "@cursor/bdk/channels";

const tools: AgentConfig["tools"] = ["read", "grep"];
const model: ModelSetting = { id: "grok-4.5", params: [{ id: "effort", value: "high" }, { id: "fast", value: "true" }] };

export const start = (dir: string): never => serve(dir, { port: 0 });

// @ts-expect-error no such field
defineAgent({ modell: "x" });
// @ts-expect-error a model has an id
defineAgent({ model: { params: [] } });

export default defineAgent({
  name: "Everything",
  description: "Uses every name.",
  model,
  tools,
  local: { sandbox: "workspace", ambient: false, cwd: "/srv/work" },
  concurrency: { maxRunningTurns: 2 },
  limits: { maxSteps: 3, turnTimeoutMs: 1_000, maxOutputTokens: 10, maxTurnUsd: 1, maxSessionUsd: 2, maxSessionTokens: 3 },
  approvals: { timeoutMs: 60_000 },
  compaction: { thresholdPercent: 80 },
  auth: [localDevStrict(), allowAll(), (request) => (request.headers.has("x-me") ? { kind: "me", id: "1" } : null)],
  hosting: { egressDomains: ["example.com:443"], secretNames: ["TOKEN"] },
  persistent: true,
  architecture: "v2",
  cloud: { repos: [{ url: "https://example.com/r", startingRef: "main" }], autoCreatePR: true },
  runtime: "local",
});
