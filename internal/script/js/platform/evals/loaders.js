// Loaders read data sets of evals, which this build does not run.
const later = (name) => async () => { throw new Error(`${name} reads data for evals, and this build runs none`); };
export const loadJson = later("loadJson");
export const loadJsonl = later("loadJsonl");
export const loadYaml = later("loadYaml");
