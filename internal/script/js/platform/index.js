export { defineTool } from "./tools.js";
export { prompt } from "./prompt.js";
export const defineAgent = (agent) => __bdk.mark("agent", agent);
export const defineInstructions = (instructions) => __bdk.mark("instructions", typeof instructions === "string" ? { markdown: instructions } : instructions);
export const defineResult = (result) => __bdk.mark("result", result);

// serve is how the original starts a host from code.
export function serve() {
  throw new Error("serve(dir, …) is not part of this package here: run `bdk serve --dir .`, or embed the Go library");
}
