import { defineStorage, fileKv, type StorageDefinition } from "@cursor/bdk/storage";
import { cursorHostedStorage } from "@cursor/bdk/storage/cursor-hosted";
import { fileKv as again } from "@cursor/bdk/storage/file-kv";

const hosted: StorageDefinition = { name: "hosted", ...cursorHostedStorage(), ...again() };

export const other = defineStorage(hosted);
export default defineStorage({ name: "files", policy: { debounceMs: 10, restore: { maxSessions: 1 } }, ...fileKv({ dir: "x" }) });
