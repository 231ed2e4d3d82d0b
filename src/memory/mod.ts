export {
  createMemory,
  type InstructionSource,
  type Memory,
  type MemoryOptions,
  type MemorySettings,
} from "./memory.ts";
export { createMemoryTools, type MemoryCalls } from "./tools/memory_tools.ts";
export type { Fact, FactScope, FactType } from "./fact.ts";
