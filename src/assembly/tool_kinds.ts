/** Every tool of a conversation, in the order the model sees them. The order is part of the request prefix: add, never reorder. */
import type { ToolKind } from "../contract/tool.ts";
import { createRunSkill } from "../extensions/skills/run_skill.ts";
import { createMemoryTools } from "../memory/tools/memory_tools.ts";
import { createHistoryTool } from "../sessions/history/history_tool.ts";
import { BUILTIN_TOOLS } from "../tools/mod.ts";

/** Behind the built-in ones stand those that look back, then the one for skills. */
export function listToolKinds(
  builtin: readonly ToolKind[],
  more: { readonly memory: readonly ToolKind[]; readonly history: ToolKind; readonly skill: ToolKind },
): readonly ToolKind[] {
  return [...builtin, ...more.memory, more.history, more.skill];
}

/** The same tools for those who only ask what they are called and how they are described. */
export function describedTools(): readonly ToolKind[] {
  const nothing = () => Promise.reject(new Error("this tool is only described"));
  return listToolKinds(BUILTIN_TOOLS, {
    memory: createMemoryTools(nothing),
    history: createHistoryTool(nothing),
    skill: createRunSkill({ load: nothing, find: () => undefined, pin: nothing, offered: [] }, { direct: true }),
  });
}
