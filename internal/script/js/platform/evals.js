// Evals: definitions, what a test holds values against, and what judges need.
import "./_evals/run.js";

export { defineEval, defineEvalConfig } from "./_evals/define.js";
export { equals, includes, matches, satisfies, similarity, normalizedSimilarity } from "./_evals/expect.js";
export { EVAL_JUDGE_INJECTION_GUARD, fenceUntrusted } from "./_evals/fence.js";
export { Artifacts, JUnit } from "./_evals/reporters.js";
