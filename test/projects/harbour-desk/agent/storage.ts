import { defineStorage, type StorageDefinition } from "@cursor/july/storage";
import { fileKv } from "@cursor/july/storage/file-kv";

const storage: StorageDefinition = defineStorage({ name: "repairs", policy: { debounceMs: 1_000 }, ...fileKv() });

export default storage;
