export { type Instruction, type Instructions, loadInstructions, toInstructionPrompt } from "./instructions.ts";
export { BUILT_IN_STYLES, type OutputStyle, SessionStyle, styleSection } from "./output_style.ts";
export { createReferenceObserver, type ReferencePorts } from "./references.ts";
export { createSessionContext, type SessionContextPorts, type SessionContextSettings } from "./session_context.ts";
export { createSystemPrompt } from "./system_prompt.ts";
