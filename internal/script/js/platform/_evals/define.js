// What the files of an evals folder export.
import "./run.js";

export const defineEval = (evaluation) => __bdk.mark("eval", evaluation);
export const defineEvalConfig = (config) => __bdk.mark("evalConfig", config);
