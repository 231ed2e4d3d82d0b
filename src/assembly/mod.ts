export { assemble } from "./assemble.ts";
export type { Assembly, SessionRequest } from "./request.ts";
