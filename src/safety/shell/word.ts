/** Shell words after quote removal. What the shell computes when it runs is marked, never guessed. */
import type { Word, WordPart } from "unbash";
import type { ShellWord } from "./analysis.ts";

/** Stands in a text for a run of characters nobody can know beforehand. No command line can hold this character. */
export const UNKNOWN = "\u0000";

export interface WordContext {
  /** Names bound by a `for` over words that are all known. */
  readonly loopNames: ReadonlySet<string>;
  /** True for a substitution whose output may stand quoted as an argument of a reader. */
  isProven(part: WordPart): boolean;
  /** The only value the line gives a variable, where that is certain enough to look for a denied command. */
  valueOf(name: string): string | undefined;
}

type Computed = ShellWord["computed"];
const ORDER: readonly Computed[] = ["no", "glob", "loop", "proven", "yes"];

export function readWord(word: Word, context: WordContext): ShellWord {
  if (!word.parts) return { text: word.text, value: word.value, computed: "no", splits: false };
  let value = "";
  let guess = "";
  let computed: Computed = "no";
  let splits = false;
  const note = (what: Computed) => {
    if (ORDER.indexOf(what) > ORDER.indexOf(computed)) computed = what;
  };
  const take = (part: WordPart, quoted: boolean) => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        value += part.value;
        guess += part.value;
        return;
      case "DoubleQuoted":
      case "LocaleString":
        for (const child of part.parts) take(child, true);
        return;
      case "Glob":
        value += UNKNOWN;
        guess += UNKNOWN;
        splits = true;
        return note("glob");
      case "SimpleExpansion":
      case "ParameterExpansion": {
        const name = expandedName(part);
        value += UNKNOWN;
        guess += (name === undefined ? undefined : context.valueOf(name)) ?? UNKNOWN;
        splits ||= !quoted || name === "@" || name === "*";
        return note(quoted && name !== undefined && context.loopNames.has(name) ? "loop" : "yes");
      }
      case "CommandExpansion":
        value += UNKNOWN;
        guess += UNKNOWN;
        splits ||= !quoted;
        return note(quoted && context.isProven(part) ? "proven" : "yes");
      default:
        value += UNKNOWN;
        guess += UNKNOWN;
        splits ||= !quoted;
        return note("yes");
    }
  };
  for (const part of word.parts) take(part, false);
  return { text: word.text, value, computed, splits, ...(guess === value ? {} : { guess }) };
}

/** `x` of `$x` and `${x}`; undefined where anything is done to the value. */
export function expandedName(part: WordPart): string | undefined {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  if (part.type !== "ParameterExpansion") return undefined;
  return part.prefix === undefined && part.index === undefined && part.operation === undefined
    ? part.parameter
    : undefined;
}

export function literalWord(value: string): ShellWord {
  return { text: value, value, computed: "no", splits: false };
}

/** Words as one text to hold against a rule. A word that may vanish takes its blanks with it. */
export function joined(words: readonly ShellWord[]): string {
  let text = "";
  let glued = true;
  for (const word of words) {
    const vanishes = word.splits && word.value.replaceAll(UNKNOWN, "") === "";
    if (!glued && !vanishes) text += " ";
    text += word.value;
    glued = vanishes;
  }
  return text;
}

/** A program's name without its folder. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
