/** The engine behind every frontend: one door, the order of turns, and the slash commands. */
export { type Controller, type ControllerPorts, createController, type Receipt } from "./controller.ts";
export type {
  CommandAnswer,
  CommandRow,
  Commands,
  CommandScreen,
  CommandView,
  ContextBar,
  SkillRow,
} from "./command.ts";
export type {
  CommandHost,
  CommandSource,
  DocPage,
  Documents,
  FoundSection,
  KeyState,
  ProviderRow,
  SessionRow,
  Setting,
  SettingName,
  SkillHost,
} from "./commands/host.ts";
export { toInboxEntry } from "./follow_ups.ts";
export { EventLog } from "./event_log.ts";
export type { Conversation, ConversationOptions, Runtime } from "./runtime.ts";
export { PlanPhase } from "./plan_phase.ts";
export type { PresetState } from "./preset.ts";
export { Questions } from "./questions.ts";
