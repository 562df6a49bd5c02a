import { memoryHook } from "@cursor/bdk/memory";

export default memoryHook();
