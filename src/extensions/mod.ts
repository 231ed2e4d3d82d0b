/** What people add as files: hooks, commands and skills. */
export { type CommandTemplate, leadsOut, parseCommand, renderCommand } from "./commands/command_file.ts";
export {
  type CommandFolder,
  type CommandProblem,
  type CustomCommand,
  loadCommands,
  type LoadedCommands,
} from "./commands/load.ts";
export { type HookDemand, hookDemand } from "./hooks/demands.ts";
export { HOOK_EVENTS, type HookEvent } from "./hooks/events.ts";
export {
  commandText,
  type Hook,
  type HookProblem,
  type HookProblemCode,
  type HookScope,
  type HookSource,
} from "./hooks/hook.ts";
export { loadHooks } from "./hooks/load.ts";
export type { ParsedHooks } from "./hooks/parse.ts";
export {
  createSessionHooks,
  type HookReviewer,
  type SessionHooks,
  type SessionHooksOptions,
} from "./hooks/session_hooks.ts";
export type { PinOptions } from "./skills/pin.ts";
export { type RootPlaces, type SkillPlaces, skillRoots } from "./skills/roots.ts";
export { createRunSkill, needsChild } from "./skills/run_skill.ts";
export { hasSkillPrompt, type ShelfPorts, type ShelfSettings, SkillShelf } from "./skills/shelf.ts";
export {
  placeOf,
  type Skill,
  type SkillHead,
  type SkillProblem,
  type SkillRoot,
  type SkillScope,
  type SkillSource,
} from "./skills/skill.ts";
export { createSkillCapabilities } from "./skills/skill_capabilities.ts";
export { createTypedSkills, isTypable } from "./skills/typed_skill.ts";
