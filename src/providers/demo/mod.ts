export { demoKind } from "./kind.ts";
export { demoTask } from "./task.ts";
