/** Which command a line means, and with which words: flags may stand before the verb. */
import { type Command, findCommand, RUN_FLAGS, SHARED_FLAGS, TUI_FLAGS } from "./commands.ts";
import { findFlag, type Flag, isFlag, unknownFlag, UsageError } from "./flags.ts";

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
  const [first, ...others] = argv;
  if (first === "--version" || first === "-v") {
    return others.length === 0 ? { kind: "version" } : ofCommand("version", others);
  }
  if (first === "--help" || first === "-h") {
    const words = others.filter((word) => !isFlag(word));
    return words.length === 0 ? { kind: "help" } : ofCommand("help", words);
  }
  // `--inline` belongs to `tui` alone.
  if (first === "--inline") return { kind: "unknown", word: first };
  const run = findCommand("run")!;
  // `-p` before the verb makes the line one of `run`, with all of its flags.
  if (leadsWith(argv, findFlag("--print", RUN_FLAGS)!, RUN_FLAGS)) {
    const verbAt = flagsEnd(argv, RUN_FLAGS);
    const rest = argv[verbAt] === "run" ? [...argv.slice(verbAt + 1), ...argv.slice(0, verbAt)] : argv;
    return { kind: "command", command: run, argv: rest };
  }
  const ofTerminal = findFlag("--resume", TUI_FLAGS)!;
  if (first !== undefined && isFlag(first) && leadsWith(argv, ofTerminal, LEADING)) {
    return { kind: "interactive", argv };
  }
  if (argv.slice(0, flagsEnd(argv, LEADING)).some((word) => word === "--help" || word === "-h")) {
    return { kind: "help" };
  }
  const verbAt = flagsEnd(argv, LEADING, refuse);
  const leading = argv.slice(0, verbAt);
  const verb = argv[verbAt];
  if (verb === undefined) return { kind: "interactive", argv };
  const command = findCommand(verb);
  if (leading.length === 0) {
    return command ? { kind: "command", command, argv: argv.slice(1) } : { kind: "unknown", word: verb };
  }
  if (command?.name === "run") return { kind: "command", command, argv: [...argv.slice(verbAt + 1), ...leading] };
  if (command) throw new UsageError(`flags of "${verb}" stand behind it: reasonix ${verb} ${leading.join(" ")}`);
  return { kind: "unknown", word: verb };
}

function ofCommand(name: string, argv: readonly string[]): CommandLine {
  return { kind: "command", command: findCommand(name)!, argv };
}

/** The flag stands before any word that is not one. */
function leadsWith(argv: readonly string[], wanted: Flag, known: readonly Flag[]): boolean {
  return argv.slice(0, flagsEnd(argv, known)).some((word) => findFlag(writtenAs(word), [wanted]) !== undefined);
}

/** Where the flags at the start end; an unknown one is handed on and counts as a flag without a value. */
function flagsEnd(argv: readonly string[], known: readonly Flag[], onUnknown?: (written: string) => never): number {
  let at = 0;
  while (at < argv.length && isFlag(argv[at]!) && argv[at] !== "--") {
    const flag = findFlag(writtenAs(argv[at]!), known);
    if (flag === undefined) onUnknown?.(writtenAs(argv[at]!));
    at += flag !== undefined && flag.takes !== "nothing" && !argv[at]!.includes("=") ? 2 : 1;
  }
  return Math.min(at, argv.length);
}

function writtenAs(word: string): string {
  return word.split("=", 1)[0]!;
}

function refuse(written: string): never {
  if (findFlag(written, RUN_FLAGS) === undefined) throw unknownFlag(written, LEADING);
  throw new UsageError(`${written} stands behind the command: reasonix run ${written} …`);
}
