export { createSessionContext, type SessionContextPorts, type SessionContextSettings } from "./session_context.ts";
export { createSystemPrompt } from "./system_prompt.ts";
