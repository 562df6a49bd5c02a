export const defineArtifacts = (artifacts) => __bdk.mark("artifacts", artifacts);
