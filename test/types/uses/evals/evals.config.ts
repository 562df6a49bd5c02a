import { Artifacts, defineEvalConfig, JUnit } from "@cursor/bdk/evals";

export default defineEvalConfig({
  maxConcurrency: 20,
  timeoutMs: 180_000,
  judge: { model: "gpt-5.4-mini" },
  maxPlaygroundRuns: 5,
  reporters: [JUnit({ filePath: "junit.xml", suiteName: "all" }), Artifacts({ dir: "out" }), { onEvalComplete: (result) => result.id }],
});
