// @cursor/bdk/evals/loaders: data sets, by their paths in the project's folder. A path that leaves it is refused, and
// every fault names file, line and column.

/** One JSON value. A key that is there twice is a fault. */
export declare function loadJson<T = any>(path: string): Promise<T>;
/** A list with the JSON value of each line; blank lines are passed over. */
export declare function loadJsonl<T = any>(path: string): Promise<T[]>;
/** One document by the core schema of YAML 1.2: no, 12:30 and 2026-01-02 are texts. */
export declare function loadYaml<T = any>(path: string): Promise<T>;
