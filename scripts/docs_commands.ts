/**
 * docs/COMMANDS.md from the tables of commands and flags that the program parses by.
 * `deno run -A scripts/docs_commands.ts` writes it; a test compares.
 */
import { type Command, COMMANDS, SHARED_FLAGS } from "../src/frontends/cli/commands.ts";
import { type Flag, spellings } from "../src/frontends/cli/flags.ts";
import { ADD_USAGE } from "../src/frontends/cli/mcp/add_line.ts";
import { MCP_VERBS } from "../src/frontends/cli/mcp/mcp_command.ts";

const DOCUMENT = new URL("../docs/COMMANDS.md", import.meta.url);

const HEAD = `# Commands

Every command and flag, made from the tables the program itself reads by \`deno run -A scripts/docs_commands.ts\`.
\`reasonix help COMMAND\` shows the same at the terminal, \`reasonix completion\` completes it. What commands answer and
how they end is in [EVENTS.md](EVENTS.md#exit-codes), what to do with them in [GUIDE.md](GUIDE.md), and the commands
inside a session are in [its list](GUIDE.md#commands-in-a-session).

- Flags stand before, between or behind words; \`--\` ends them. \`--model NAME\` and \`--model=NAME\` are the same.
- \`reasonix -p …\` is \`reasonix run -p …\`. Of the flags of \`run\`, those the terminal takes as well may stand before
  the word \`run\`.
- \`--help\` and \`-h\` explain a command, \`--version\` and \`-v\` print the version.
- A word or a flag that a command does not know ends it with 2.
`;

export function commandReference(): string {
  const shown = COMMANDS.filter((command) => !command.hidden);
  const table = [
    "| Command | Does |",
    "| --- | --- |",
    ...shown.map(({ name, summary }) => `| [\`${name}\`](#reasonix-${name}) | ${cell(summary)} |`),
  ].join("\n");
  return `${[HEAD, table, ...shown.map(section)].join("\n")}\n`;
}

function section(command: Command): string {
  const { name, operands, summary, aliases = [] } = command;
  const also = aliases.length === 0 ? "" : ` Also spelled ${aliases.map((alias) => `\`${alias}\``).join(", ")}.`;
  const own = name === "tui" || name === "run"
    ? command.flags.filter((flag) => !SHARED_FLAGS.includes(flag))
    : command.flags;
  const shared = name === "tui" || name === "run" ? [sharedFlags(name)] : [];
  return [
    `\n## \`reasonix ${name}\`\n`,
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.${also}\n`,
    usage([`reasonix ${name} ${operands}`.trimEnd()]),
    ...shared,
    ...(own.length === 0 || name === "mcp" ? [] : [flagTable(own)]),
    ...(name === "mcp"
      ? [verbTable(), usage(ADD_USAGE.replace(/^usage: /, "").split("\n").map((line) => line.trim()).slice(0, -1))]
      : []),
  ].join("\n");
}

/** The terminal and \`run\` take many flags alike: they are listed once. */
function sharedFlags(name: string): string {
  if (name === "run") return "The flags of [`reasonix tui`](#reasonix-tui), but for `--resume`, and these:\n";
  return `${flagTable(SHARED_FLAGS)}\n`;
}

function usage(lines: readonly string[]): string {
  return `\`\`\`usage\n${lines.join("\n")}\n\`\`\`\n`;
}

function flagTable(flags: readonly Flag[]): string {
  return ["| Flag | Does |", "| --- | --- |", ...flags.map(flagRow)].join("\n");
}

function flagRow(flag: Flag): string {
  const [long, ...more] = spellings({ ...flag, short: undefined });
  const names = [...(flag.short ? [`-${flag.short}`] : []), `${long}${flag.value ? ` ${flag.value}` : ""}`, ...more];
  return `| ${names.map((name) => `\`${name}\``).join(", ")} | ${cell(flag.help)} |`;
}

function verbTable(): string {
  const rows = Object.entries(MCP_VERBS).map(([verb, { operands, summary, flags }]) => {
    const taken = flags.map(({ name, value }) => ` [--${name}${value ? ` ${value}` : ""}]`).join("");
    return `| \`mcp ${[verb, operands].join(" ").trimEnd()}${taken}\` | ${cell(summary)} |`;
  });
  return [
    "| Command | Does |",
    "| --- | --- |",
    ...rows,
    "",
    "`mcp add` writes into the user's settings; the next session starts the server. `--env NAME=VALUE` sets a variable of a",
    "local server, `--header NAME=VALUE` sends a header to a remote one; both may be repeated.",
    "",
  ].join("\n");
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

if (import.meta.main) {
  Deno.writeTextFileSync(DOCUMENT, commandReference());
  await new Deno.Command(Deno.execPath(), { args: ["fmt", "-q", decodeURIComponent(DOCUMENT.pathname)] }).output();
}
