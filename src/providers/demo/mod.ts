export { demoKind } from "./kind.ts";
export { type DemoFile, type DemoTask, demoTask } from "./task.ts";
