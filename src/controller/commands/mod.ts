/** The slash commands. */
export type { CommandContext } from "./built_in.ts";
export { createCommands } from "./dispatch.ts";
