// Reporters that the host has: what it is to write, as data.
import { kindOf } from "./show.js";

function reporter(kind, name, options) {
  if (options === null || typeof options !== "object" || Array.isArray(options)) throw new TypeError(`${name} needs an object of options, not ${kindOf(options)}`);
  return Object.freeze({ ...options, reporter: kind });
}

// JUnit takes { filePath, suiteName? }, Artifacts takes { dir }; the loader of evals holds
// what is in them.
export const JUnit = (options) => reporter("junit", "JUnit", options);
export const Artifacts = (options) => reporter("artifacts", "Artifacts", options);
