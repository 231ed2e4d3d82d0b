/** From a command line to an exit code. Errors for people are one line on stderr; a stack is never shown. */
import { ReasonixError } from "../../contract/errors.ts";
import { errorText } from "../../lib/error_text.ts";
import { toTerminal } from "../../lib/terminal_text.ts";
import { parseCommandLine } from "./command_line.ts";
import { type Command, COMPLETE, findCommand } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { parseFlags, UsageError } from "./flags.ts";
import { processStreams, type Streams } from "./output/output.ts";

export async function main(argv: readonly string[], streams: Streams = processStreams()): Promise<number> {
  try {
    const line = parseCommandLine(argv);
    switch (line.kind) {
      case "version":
        streams.out.line((await import("./version.ts")).versionLine());
        return EXIT.success;
      case "help":
        streams.out.line((await import("./usage.ts")).usageText());
        return EXIT.success;
      case "unknown":
        streams.err.line(`unknown command "${toTerminal(line.word)}"\n`);
        streams.err.line((await import("./usage.ts")).usageText());
        return EXIT.usage;
      case "interactive":
        // Flags ask for a session, so without a terminal they get the refusal of `tui`.
        if (line.argv.length > 0 || (Deno.stdin.isTerminal() && Deno.stdout.isTerminal())) {
          return await runCommand(findCommand("tui")!, line.argv, streams);
        }
        streams.out.line((await import("./usage.ts")).usageText());
        return EXIT.success;
      case "command":
        return await runCommand(line.command, line.argv, streams);
    }
  } catch (error) {
    return report(error, streams);
  } finally {
    await streams.flush();
  }
}

async function runCommand(command: Command, argv: readonly string[], streams: Streams): Promise<number> {
  const isData = command.hidden || argv[0] === COMPLETE;
  // Behind `--` stands the line of another program.
  const own = argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined);
  if (!isData && (own.includes("--help") || own.includes("-h"))) {
    streams.out.line((await import("./usage.ts")).commandUsage(command));
    return EXIT.success;
  }
  const parsed = command.hidden || command.ownLine
    ? { values: new Map(), words: argv }
    : parseFlags(argv, command.flags);
  const surplus = command.mostWords === undefined ? undefined : parsed.words[command.mostWords];
  if (surplus !== undefined) {
    throw new UsageError(`unexpected "${surplus}"; usage: reasonix ${command.name} ${command.operands}`);
  }
  const { run } = await command.load();
  return await run({ streams, parsed, argv });
}

/** One clear line, and what to do about it. */
export function report(error: unknown, streams: Streams): number {
  if (error instanceof UsageError) {
    streams.err.line(toTerminal(error.message));
    return EXIT.usage;
  }
  if (error instanceof ReasonixError) {
    streams.err.line(`error: ${toTerminal(error.message)}`);
    if (error.remedy) streams.err.line(`  ${toTerminal(error.remedy)}`);
    return error.code === "cli.usage" || error.code === "workspace.unusable" ? EXIT.usage : EXIT.failure;
  }
  const text = errorText(error);
  streams.err.line(`error: internal error: ${toTerminal(text)}`);
  return EXIT.failure;
}
