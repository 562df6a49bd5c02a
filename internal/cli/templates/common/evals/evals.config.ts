import { defineEvalConfig } from "@cursor/bdk/evals";

export default defineEvalConfig({
  maxConcurrency: 4,
  timeoutMs: 60_000,
});
