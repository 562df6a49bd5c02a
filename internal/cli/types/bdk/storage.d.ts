// @cursor/bdk/storage: accepted, and not used: storage is the host's own.

export interface StorageDefinition {
  name?: string;
  policy?: Record<string, any>;
  [field: string]: any;
}

export declare function defineStorage(storage: StorageDefinition): StorageDefinition;
export { fileKv } from "./storage/file-kv.js";
