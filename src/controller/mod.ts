export { Approvals } from "./approvals.ts";
export { type Controller, type ControllerPorts, createController, type Receipt } from "./controller.ts";
export { EventLog } from "./event_log.ts";
export type { Conversation, ConversationOptions, ModelView, OpenRuntime, Permissions, Runtime } from "./runtime.ts";
