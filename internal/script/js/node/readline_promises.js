// node:readline/promises.
import { promises } from "./readline.js";

export const { Interface, createInterface } = promises;
export default promises;
