/** Usage texts, made from the table of commands. */
import { type Command, type CommandContext, COMMANDS, findCommand } from "./commands.ts";
import { type Flag, spellings, UsageError } from "./flags.ts";

export function usageText(): string {
  const commands = COMMANDS.filter((command) => !command.hidden);
  return [
    "reasonix: a coding agent for the terminal",
    "",
    "usage: reasonix [flags]                work in the terminal",
    "       reasonix run [flags] TASK…      do one task and leave",
    "       reasonix -p [flags] TASK…       the same, printing the final answer only",
    "       reasonix COMMAND …",
    "",
    "commands:",
    ...columns(commands.map((command) => [command.name, command.summary])),
    "",
    "reasonix help COMMAND shows the flags of a command.",
  ].join("\n");
}

export function commandUsage(command: Command): string {
  const flags = command.flags.filter((flag) => !flag.hidden);
  return [
    `usage: reasonix ${command.name} ${command.operands}`,
    "",
    command.summary,
    ...(flags.length === 0 ? [] : ["", "flags:", ...columns(flags.map((flag) => [spelling(flag), flag.help]))]),
  ].join("\n");
}

export function run(context: CommandContext): Promise<number> {
  const [name] = context.parsed.words;
  if (name === undefined) {
    context.streams.out.line(usageText());
    return Promise.resolve(0);
  }
  const command = findCommand(name);
  if (command === undefined) throw new UsageError(`unknown command "${name}"`);
  context.streams.out.line(commandUsage(command));
  return Promise.resolve(0);
}

function spelling(flag: Flag): string {
  const [first, ...rest] = spellings({ ...flag, aliases: [] });
  return [first, ...rest].join(", ") + (flag.value ? ` ${flag.value}` : "");
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
