/** May this happen, and inside which walls: the gate, the analysis of commands, the walls around files and processes. */
export { protectChangedFiles, SeenFiles } from "./confinement/changed_file_guard.ts";
export { reviewReason, statePaths } from "./confinement/managed_files.ts";
export { isCaseless } from "./confinement/places.ts";
export { forbidReads } from "./confinement/read_ban.ts";
export { snapshotFiles } from "./confinement/snapshot_files.ts";
export { confineWrites } from "./confinement/write_confinement.ts";
export { offerEscape } from "./escape/escape.ts";
export { createGate, type PermissionGate, type Reviewer } from "./permission/gate.ts";
export { createPathForms } from "./permission/path_forms.ts";
export { createPolicy } from "./permission/policy.ts";
export { parseRule, readRules, type Rule, type SourcedRule, splitRules } from "./permission/rule.ts";
export { lateGitHazards } from "./shell/load.ts";
export type { GitMemory } from "./sandbox/git_metadata.ts";
export { runSandboxBridge } from "./sandbox/bridge.ts";
export type { SandboxState } from "./sandbox/probe.ts";
export { type SandboxedProcesses, sandboxProcesses } from "./sandbox/sandbox.ts";
export type { SandboxSettings, Walls } from "./sandbox/walls.ts";
