/** Whether a line that a page shows is one the program would take: the commands and flags of its own tables. */
import { parseCommandLine } from "../../src/frontends/cli/command_line.ts";
import { type Command, COMMANDS, findCommand } from "../../src/frontends/cli/commands.ts";
import { isFlag, spellings } from "../../src/frontends/cli/flags.ts";
import { ADD_USAGE } from "../../src/frontends/cli/mcp/add_line.ts";
import { MCP_VERBS } from "../../src/frontends/cli/mcp/mcp_command.ts";

/** Commands that pages speak of and that are not there yet. */
export const PLANNED = ["serve", "review"];

const GLOBAL = ["--help", "-h", "--version", "-v"];

function flagsOf(command: Command): string[] {
  const own = command.flags.flatMap(spellings);
  if (command.name !== "mcp") return [...GLOBAL, ...own];
  const ofVerbs = Object.values(MCP_VERBS).flatMap(({ flags }) => flags.flatMap(spellings));
  return [...GLOBAL, ...own, ...ofVerbs, ...ADD_USAGE.match(/--[a-z]+/g) ?? []];
}

/** Every spelling of every flag. */
export const everyFlag: ReadonlySet<string> = new Set(COMMANDS.flatMap(flagsOf));

/** `reasonix …`, also with the marks of what may be left out or chosen. Undefined: nothing is wrong with it. */
export function commandLineFault(line: string): string | undefined {
  const words = shellWords(line.replace(/[[\]]/g, " ")).filter((word) => !/^[|,]$/.test(word));
  const own = words.slice(1, words.includes("--") ? words.indexOf("--") : undefined);
  const parsed = parseCommandLine(own.filter((word) => !GLOBAL.includes(word)));
  if (parsed.kind === "unknown" && ![...PLANNED, "…", "COMMAND"].includes(parsed.word)) {
    return `no command "${parsed.word}": ${line}`;
  }
  const command = parsed.kind === "command" ? parsed.command : findCommand("tui")!;
  const known = flagsOf(command);
  const odd = own.filter((word) => isFlag(word) && !known.includes(word.split("=")[0]!));
  if (odd.length > 0) return `no flag ${odd.join(" ")}: ${line}`;
  const [verb] = parsed.kind === "command" ? parsed.argv.filter((word) => !isFlag(word)) : [];
  if (command.words === undefined || verb === undefined || /^(?:[A-Z…]|\.)/.test(verb)) return undefined;
  return command.words.includes(verb) ? undefined : `${command.name} knows no "${verb}": ${line}`;
}

/** Words of a simple command, quotes taken away; its comment is none of them. */
export function shellWords(line: string): string[] {
  return [...line.matchAll(/(?:^|\s)#.*$|"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"']+)/g)]
    .filter(([whole]) => !/^\s*#/.test(whole))
    .map(([, double, single, bare]) => double ?? single ?? bare ?? "");
}
