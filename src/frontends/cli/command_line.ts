/** Which command a line means, and with which words: flags may stand before the verb (cli.md §3 "Command-line shape"). */
import { type Command, findCommand, RUN_FLAGS, SHARED_FLAGS, TUI_FLAGS } from "./commands.ts";
import { findFlag, type Flag, isFlag, UsageError } from "./flags.ts";

export type CommandLine =
  | { readonly kind: "command"; readonly command: Command; readonly argv: readonly string[] }
  /** Nothing but flags of the terminal UI. */
  | { readonly kind: "interactive"; readonly argv: readonly string[] }
  | { readonly kind: "version" }
  | { readonly kind: "help" }
  | { readonly kind: "unknown"; readonly word: string };

const LEADING: readonly Flag[] = [
  ...SHARED_FLAGS,
  ...RUN_FLAGS.filter((flag) => flag.name === "auto" || flag.name === "print"),
];

export function parseCommandLine(argv: readonly string[]): CommandLine {
  const first = argv[0];
  if (first === "--version" || first === "-v") return { kind: "version" };
  if (first === "--help" || first === "-h") return { kind: "help" };
  // `--inline` belongs to `tui` alone.
  if (first === "--inline") return { kind: "unknown", word: first };
  const ofTerminal = findFlag("--resume", TUI_FLAGS)!;
  if (first !== undefined && isFlag(first) && leadsWith(argv, ofTerminal)) return { kind: "interactive", argv };
  const verbAt = leadingFlags(argv);
  const leading = argv.slice(0, verbAt);
  const verb = argv[verbAt];
  const print = leading.some((word) => word === "-p" || word === "--print");
  const run = findCommand("run")!;
  if (verb === undefined) return print ? { kind: "command", command: run, argv } : { kind: "interactive", argv };
  const command = findCommand(verb);
  if (leading.length === 0) {
    return command ? { kind: "command", command, argv: argv.slice(1) } : { kind: "unknown", word: verb };
  }
  if (command?.name === "run") return { kind: "command", command, argv: [...argv.slice(verbAt + 1), ...leading] };
  if (print) return { kind: "command", command: run, argv };
  if (command) throw new UsageError(`flags of "${verb}" stand behind it: reasonix ${verb} ${leading.join(" ")}`);
  return { kind: "unknown", word: verb };
}

/** The flag stands before any word that is not one. */
function leadsWith(argv: readonly string[], wanted: Flag): boolean {
  for (let at = 0; at < argv.length && isFlag(argv[at]!) && argv[at] !== "--"; at++) {
    const word = argv[at]!;
    const written = word.split("=", 1)[0]!;
    if (findFlag(written, [wanted])) return true;
    const flag = findFlag(written, LEADING);
    if (flag !== undefined && flag.takes !== "nothing" && !word.includes("=")) at++;
  }
  return false;
}

/** Index of the first word that is neither a leading flag nor the value of one. */
function leadingFlags(argv: readonly string[]): number {
  let at = 0;
  while (at < argv.length && isFlag(argv[at]!)) {
    const word = argv[at]!;
    if (word === "--") break;
    const written = word.split("=", 1)[0]!;
    const flag = findFlag(written, LEADING);
    if (flag === undefined) {
      const other = findFlag(written, RUN_FLAGS);
      throw new UsageError(
        other ? `${written} stands behind the command: reasonix run ${written} …` : `unknown flag ${written}`,
      );
    }
    at += flag.takes === "nothing" || word.includes("=") ? 1 : 2;
  }
  return Math.min(at, argv.length);
}
