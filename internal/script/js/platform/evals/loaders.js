// Loaders read data sets by their paths in the project. The host parses; what it refuses
// has file, line and column.
const loader = (name, format) => async (path) => {
  if (typeof path !== "string") throw new TypeError(`${name} needs a path, relative to the project's folder, not ${__bdk.evals.kindOf(path)}`);
  const { json, nan } = JSON.parse(await __bdk.async(0, "eval.load", name, format, path));
  return nan === undefined ? JSON.parse(json) : JSON.parse(json, (_, value) => (value === nan ? NaN : value));
};

export const loadJson = loader("loadJson", "json");
export const loadJsonl = loader("loadJsonl", "jsonl");
export const loadYaml = loader("loadYaml", "yaml");
