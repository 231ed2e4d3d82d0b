export { anthropicKind } from "./kind.ts";
