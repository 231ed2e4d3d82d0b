/** Facts that outlive a session: their tools, their recall, and what a person does with them. */
export { createMemory, type Memory } from "./memory.ts";
export { createMemoryTools } from "./tools/memory_tools.ts";
