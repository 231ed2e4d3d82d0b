/**
 * What the analysis of a command line says. Plain data: made once per call, read by the policy, by prompts and by
 * whoever must know whether a command only reads.
 */
import type { CommandClass } from "../../contract/decision.ts";

/** How much of the line is known before it runs. */
export type Shape = "static" | "dynamic" | "nested";

/**
 * What keeps a word from being known. `glob`: file names fill it in. `loop`: a variable of a `for` over known
 * words. `proven`: a quoted substitution such as `"$(pwd)"`. `yes`: anything else.
 */
export type Computed = "no" | "glob" | "loop" | "proven" | "yes";

export interface ShellWord {
  /** As written. */
  readonly text: string;
  /** After quotes, backslashes and `$'…'`; `UNKNOWN` stands for what only the shell can tell. */
  readonly value: string;
  readonly computed: Computed;
  /** May become no word at all, or several. */
  readonly splits: boolean;
  /** With variables that the line itself sets filled in; only to look for a denied command. */
  readonly guess?: string;
}

/** One reading of a call: as written, or with wrappers in front taken off. */
export interface Layer {
  readonly words: readonly ShellWord[];
  /** Words of the call as written that stand in front of these. */
  readonly skipped: number;
  /** All wrappers in front change how the program runs and not what it may do. */
  readonly harmless: boolean;
}

export interface SimpleCommand {
  /** Source text, without the statement around it. */
  readonly text: string;
  /** The first is the call as written; the last is the program that really runs. */
  readonly layers: readonly Layer[];
  /** Other readings, for deny and ask rules: behind options nobody knows, by a program's full name. */
  readonly suspects: readonly (readonly ShellWord[])[];
  /** Calls that its arguments may stand for, where nobody knows what the program does with them. */
  readonly perhaps: readonly SimpleCommand[];
  /** Stands in text that something else runs (`sh -c`, `eval`, a here-document of a shell), not in the line itself. */
  readonly carried: boolean;
  readonly readOnly: boolean;
  /** The tables know the program, so its arguments are not taken for another program. */
  readonly known: boolean;
}

export interface CommandAnalysis {
  readonly class: CommandClass;
  readonly shape: Shape;
  readonly readOnly: boolean;
  /** Why it is not static, as phrases for people, most telling first. */
  readonly reasons: readonly string[];
  /** Every call found, wherever it hides. */
  readonly commands: readonly SimpleCommand[];
  /** False when part of the line was not understood: then no deny rule can be ruled out. */
  readonly complete: boolean;
  readonly heredocs: readonly string[];
  /** Why a person should look twice, as the end of a sentence about the command. */
  readonly danger?: string;
  /** The danger is loss of work that nothing brings back. */
  readonly discards: boolean;
  /** First words that a rule may cover from now on, such as `npm run build`. */
  readonly prefix?: string;
  /** Texts that may name a file the line writes; `~/` stands for the home folder. */
  readonly mayWrite: readonly string[];
  /** Folders in which git only reads, as far as the line tells; what the repository there makes of it is another matter. */
  readonly gitFolders: readonly string[];
}
