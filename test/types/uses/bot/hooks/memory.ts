import { type MemoryBackend, memoryHook } from "@cursor/bdk/memory";

const backend: MemoryBackend = {
  async append(entry, ctx) {
    await ctx.host.kv.put(`memory:${entry.sessionId}:${entry.at}`, entry);
  },
};

export const owners = memoryHook({ scope: "principal" });
export const elsewhere = memoryHook({ backend });

export default memoryHook();
