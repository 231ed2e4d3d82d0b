export { type Controller, type ControllerPorts, createController, type Receipt } from "./controller.ts";
export type {
  CommandAnswer,
  CommandGroup,
  CommandRow,
  Commands,
  CommandScreen,
  CommandView,
  ContextBar,
  FrontendAction,
  SkillRow,
} from "./command.ts";
export type {
  AccountBalance,
  CommandHost,
  CommandSource,
  DocPage,
  Documents,
  FoundSection,
  KeyState,
  OutputStyleHost,
  ProviderRow,
  SessionRow,
  Setting,
  SettingName,
  SkillHost,
} from "./commands/host.ts";
export { toInboxEntry } from "./follow_ups.ts";
export { EventLog } from "./event_log.ts";
export type {
  Conversation,
  ConversationOptions,
  ModelView,
  ModelWish,
  OpenRuntime,
  Permissions,
  Runtime,
} from "./runtime.ts";
export { PlanPhase, type PlanPhaseOptions } from "./plan_phase.ts";
export type { PresetOptions, PresetState } from "./preset.ts";
export { Questions } from "./questions.ts";
