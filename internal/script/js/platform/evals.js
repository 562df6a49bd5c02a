// Evals: definitions, what a test holds values against, and what judges need.
import "./_evals/run.js";

export const defineEval = (evaluation) => __bdk.mark("eval", evaluation);
export const defineEvalConfig = (config) => __bdk.mark("evalConfig", config);

export { includes, equals, matches, satisfies, similarity, normalizedSimilarity } from "./_evals/expect.js";
export { EVAL_JUDGE_INJECTION_GUARD, fenceUntrusted } from "./_evals/fence.js";
export { Artifacts, JUnit } from "./_evals/reporters.js";
