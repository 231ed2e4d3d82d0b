export { protectChangedFiles } from "./confinement/changed_file_guard.ts";
export { type ManagedFilesContext, reviewReason, statePaths } from "./confinement/managed_files.ts";
export { isCaseless } from "./confinement/places.ts";
export { forbidReads, type ReadBan } from "./confinement/read_ban.ts";
export { snapshotFiles } from "./confinement/snapshot_files.ts";
export { confineWrites, type WriteConfinement } from "./confinement/write_confinement.ts";
export { type EscapeOptions, offerEscape } from "./escape/escape.ts";
export { createGate, type GateOptions, type PermissionGate, type Reviewer } from "./permission/gate.ts";
export { SessionGrants } from "./permission/grants.ts";
export { createPathForms, type FindPathForms } from "./permission/path_forms.ts";
export { createPolicy, type PermissionPolicy, type PolicyOptions } from "./permission/policy.ts";
export {
  type Effect,
  parseRule,
  readRules,
  type Rule,
  type RuleLists,
  type RuleProblem,
  type SourcedRule,
  splitRules,
} from "./permission/rule.ts";
export type { CommandAnalysis } from "./shell/analysis.ts";
export { createGitHazards, type FindGitHazard } from "./shell/git_hazards.ts";
export { type Analyze, loadAnalyze } from "./shell/load.ts";
export { runSandboxBridge } from "./sandbox/bridge.ts";
export type { SandboxState } from "./sandbox/probe.ts";
export { type SandboxedProcesses, type SandboxOptions, sandboxProcesses } from "./sandbox/sandbox.ts";
export type { SandboxSettings, Walls } from "./sandbox/walls.ts";
