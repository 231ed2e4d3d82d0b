/** What people add as files: hooks and commands. */
export { type CommandTemplate, parseCommand, renderCommand } from "./commands/command_file.ts";
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
