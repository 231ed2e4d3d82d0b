/**
 * What the analysis of a command line says (permissions.md §3). Plain data: made by `analyze.ts`, read by the policy, by
 * prompts and by whoever must know whether a command only reads.
 */
import type { CommandClass } from "../../contract/decision.ts";

/** How much of the line can be known before it runs. */
export type Shape = "static" | "dynamic" | "nested";

export interface ShellWord {
  /** As written. */
  readonly text: string;
  /** After quotes, backslashes and `$'…'`; `UNKNOWN` stands for what only the shell can tell. */
  readonly value: string;
  /** What keeps it from being known: nothing, file names, or an expansion. */
  readonly computed: "no" | "glob" | "loop" | "proven" | "yes";
  /** With variables that the line itself sets filled in; only to look for a denied command. */
  readonly guess?: string;
  /** May become no word at all, or several. */
  readonly splits: boolean;
}

/** One program call, with each wrapper in front of it taken off in turn. */
export interface Layer {
  readonly words: readonly ShellWord[];
  /** Words of the call as written that stand in front of these. */
  readonly skipped: number;
  /** The wrapper above runs this and does nothing else worth asking about. */
  readonly harmless: boolean;
}

export interface SimpleCommand {
  /** Source text without the statement around it. */
  readonly text: string;
  /** The first is the call as written; the last is the program that really runs. */
  readonly layers: readonly Layer[];
  /** Stands in a string that something else runs (`sh -c`, `eval`, a here-document of a shell), not in the line. */
  readonly carried: boolean;
  readonly readOnly: boolean;
  /** The program runs others by its arguments, or nobody knows what it does. Decides whether a deny rule may hide. */
  readonly known: boolean;
}

export interface CommandAnalysis {
  readonly class: CommandClass;
  readonly shape: Shape;
  readonly readOnly: boolean;
  /** Why it is not static: phrases for people, most telling first. */
  readonly reasons: readonly string[];
  /** Every call found, wherever it hides, in the order it stands. */
  readonly commands: readonly SimpleCommand[];
  /** False when part of the line was not understood; then even a deny rule cannot be ruled out. */
  readonly complete: boolean;
  readonly heredocs: readonly string[];
  /** Why a person should look twice, as one phrase. */
  readonly danger?: string;
  /** First words that a rule may cover from now on, such as `npm run build`. */
  readonly prefix?: string;
  /** Literal words that may name a file the line writes. */
  readonly mayWrite: readonly string[];
}
