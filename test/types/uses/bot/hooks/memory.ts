import { type MemoryBackend, type MemoryEntry, memoryHook } from "@cursor/bdk/memory";

const backend: MemoryBackend = {
  async append(line, ctx) {
    const entry = JSON.parse(line) as MemoryEntry;
    await ctx.host.kv.put(`memory:${entry.sessionId}:${entry.at}`, entry);
  },
};

export const owners = memoryHook({ scope: "principal" });
export const elsewhere = memoryHook({ backend });

export default memoryHook();
