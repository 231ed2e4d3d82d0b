export { responsesKind } from "./kind.ts";
