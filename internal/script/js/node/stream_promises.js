// node:stream/promises.
import { promises } from "./stream.js";

export const { pipeline, finished } = promises;
export default promises;
