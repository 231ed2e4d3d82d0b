export { assembleDemo, type Demo } from "./demo.ts";
export { assemble } from "./assemble.ts";
export { openProject, type Project } from "./project.ts";
export type { Assembly, SessionRequest } from "./request.ts";
export { runSandboxBridge } from "../safety/mod.ts";
export { type InspectedProject, type InspectOptions, inspectProject } from "./inspect_project.ts";
export type { Check } from "./diagnosis/check.ts";
export { diagnose, type Diagnosis } from "./diagnosis/diagnose.ts";
export { sessionsFolder, sessionsOf } from "./session_store.ts";
