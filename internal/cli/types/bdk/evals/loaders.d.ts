// @cursor/bdk/evals/loaders: data sets, by their paths in the project.

export declare function loadJson<T = any>(path: string): Promise<T>;
export declare function loadJsonl<T = any>(path: string): Promise<T[]>;
export declare function loadYaml<T = any>(path: string): Promise<T>;
