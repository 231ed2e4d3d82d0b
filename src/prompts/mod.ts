/**
 * What the model reads beside the conversation: the standing prompt, instructions, the machine, the style of answers,
 * `@` references.
 */
export { createFolderInstructions, type FolderInstructions } from "./folder_instructions.ts";
export { type InstructionPlaces, type Instructions, loadInstructions, toInstructionPrompt } from "./instructions.ts";
export type { OutputStyle, SessionStyle } from "./output_style.ts";
export { createReferenceObserver } from "./references.ts";
export { createSessionContext } from "./session_context.ts";
export { createSystemPrompt } from "./system_prompt.ts";
