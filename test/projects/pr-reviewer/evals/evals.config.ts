import { defineEvalConfig } from "@cursor/bdk/evals";

export default defineEvalConfig({ maxConcurrency: 4, timeoutMs: 30_000 });
