/** The line of help of a built-in command in the language of the interface; English stands in the command itself. */
import zh from "./commands_zh.json" with { type: "json" };
import type { Language } from "./translate.ts";

/** Name -> line of help. */
export const COMMAND_SUMMARIES: Readonly<Record<Exclude<Language, "en">, Readonly<Record<string, string>>>> = { zh };

export function commandSummary(
  command: { readonly name: string; readonly summary: string },
  language: Language,
): string {
  if (language === "en") return command.summary;
  const known = COMMAND_SUMMARIES[language];
  // One that gave its name away is called `reasonix:<name>`.
  const name = command.name.replace(/^reasonix:/, "");
  return Object.hasOwn(known, name) ? known[name]! : command.summary;
}
