// Keeps one line for each turn that ends, in memory/journal.jsonl, where later
// sessions can read it. All users of the agent share it: see MemoryOptions. Without
// this file, and the part "Memory" of instructions.md, nothing is kept.
import { memoryHook } from "@cursor/bdk/memory";

export default memoryHook();
