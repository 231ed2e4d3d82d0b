import builtIn from "./system.md" with { type: "text" };

/**
 * The standing prompt: the user's own text where one is configured, else the built-in one, then the output style
 * and the standing instructions, then the skills there are. Made when a conversation begins and never changed within it.
 */
export function createSystemPrompt(
  configured: string | undefined,
  more: { readonly style?: string; readonly instructions?: string; readonly skills?: string } = {},
): string {
  const own = (configured?.trim() || builtIn).trim();
  return [own, more.style, more.instructions, more.skills].filter((part) => part !== undefined).join("\n\n");
}
