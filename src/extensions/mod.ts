/** What people add as files: hooks, commands and skills. */
export { leadsOut, renderCommand } from "./commands/command_file.ts";
export { type CommandFolder, loadCommands, type LoadedCommands } from "./commands/load.ts";
export { hookDemand } from "./hooks/demands.ts";
export {
  commandText,
  type Hook,
  type HookProblem,
  type HookProblemCode,
  type HookScope,
  type HookSource,
} from "./hooks/hook.ts";
export { loadHooks } from "./hooks/load.ts";
export { createSessionHooks, type SessionHooks } from "./hooks/session_hooks.ts";
export { needsChild } from "./skills/run_skill.ts";
export { SkillShelf } from "./skills/shelf.ts";
export { placeOf, type Skill, type SkillProblem } from "./skills/skill.ts";
export { isTypable } from "./skills/typed_skill.ts";
