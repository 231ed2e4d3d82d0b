export { assembleDemo, type Demo } from "./demo.ts";
export { assemble } from "./assemble.ts";
export { openProject, type Project } from "./project.ts";
export type { Assembly, SessionRequest } from "./request.ts";
export { runSandboxBridge } from "../safety/mod.ts";
export { type InspectedProject, type InspectOptions, inspectProject } from "./inspect_project.ts";
