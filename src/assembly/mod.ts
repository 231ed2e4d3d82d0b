/** The one place that knows all the others: a request becomes a session, a command gets the parts it needs. */
export { assembleDemo } from "./demo.ts";
export { assemble } from "./assemble.ts";
export type { Project } from "./project.ts";
export type { Assembly, SessionRequest } from "./request.ts";
export { runSandboxBridge } from "../safety/mod.ts";
export { type InspectedProject, inspectProject } from "./inspect_project.ts";
export type { Capabilities } from "./diagnosis/capabilities.ts";
export type { CapabilityIssue } from "./diagnosis/capability_issue.ts";
export type { Check } from "./diagnosis/check.ts";
export type { Diagnosis } from "./diagnosis/diagnose.ts";
export {
  diagnose,
  inspectCapabilities,
  inventHooks,
  listFolder,
  loadCacheReports,
  loadEndpointCheck,
  loadFetch,
  loadServerTasks,
  loadSessionForms,
  loadSessionMaintenance,
} from "./lazy_doors.ts";
export { sessionsFolder, sessionsOf } from "./session_store.ts";
export { createPersonProcesses } from "./person_processes.ts";
export { answerFolder, type FolderInquiry, forgetAnswer, inquireFolder } from "./folder_trust.ts";
export type { HookInventory, HookRow } from "./hook_inventory.ts";
export type { FolderEntry } from "./folder_list.ts";
