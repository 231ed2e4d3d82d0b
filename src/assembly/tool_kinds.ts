/** Every tool of a conversation, in the order the model sees them. The order is part of the request prefix: add, never reorder. */
import type { ToolKind } from "../contract/tool.ts";
import { createMemoryTools } from "../memory/tools/memory_tools.ts";
import { BUILTIN_TOOLS } from "../tools/mod.ts";

/** Behind the built-in ones stand those of the memory. */
export function listToolKinds(builtin: readonly ToolKind[], memory: readonly ToolKind[]): readonly ToolKind[] {
  return [...builtin, ...memory];
}

/** The same tools for those who only ask what they are called and how they are described. */
export function describedTools(): readonly ToolKind[] {
  const nothing = () => Promise.reject(new Error("this tool is only described"));
  return listToolKinds(BUILTIN_TOOLS, createMemoryTools(nothing));
}
