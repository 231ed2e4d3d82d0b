export { openaiKind } from "./kind.ts";
