import builtIn from "./system.md" with { type: "text" };

/**
 * The standing prompt: the user's own text where one is configured, else the built-in one, then the standing
 * instructions. Made when a conversation begins and never changed within it.
 */
export function createSystemPrompt(configured: string | undefined, instructions?: string): string {
  const own = (configured?.trim() || builtIn).trim();
  return instructions === undefined ? own : `${own}\n\n${instructions}`;
}
