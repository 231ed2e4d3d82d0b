export { assemble } from "./assemble.ts";
export { openProject, type Project } from "./project.ts";
export type { Assembly, SessionRequest } from "./request.ts";
