export const defineStorage = (storage) => __bdk.mark("storage", storage);
export { fileKv } from "./storage/file-kv.js";
