import builtIn from "./system.md" with { type: "text" };

/** The standing prompt: the user's own text where one is configured, else the built-in one. Static for a session. */
export function createSystemPrompt(configured: string | undefined): string {
  return (configured?.trim() || builtIn).trim();
}
