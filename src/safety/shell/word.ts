/** Shell words after quote removal. What the shell computes when it runs is marked, never guessed. */
import type { Word, WordPart } from "unbash";
import type { Computed, ShellWord } from "./analysis.ts";

/** Stands in a text for a run of characters nobody can know beforehand. No command line can hold this character. */
export const UNKNOWN = "\u0000";

export interface WordContext {
  /** Names bound by a `for` over words that are all known. */
  readonly loopNames: ReadonlySet<string>;
  /** True for a substitution whose output is one harmless word. */
  isProven(part: WordPart): boolean;
  /** The one value the line gives a variable. */
  valueOf(name: string): string | undefined;
}

const ORDER: readonly Computed[] = ["no", "glob", "loop", "proven", "yes"];

export function readWord(word: Word, context: WordContext): ShellWord {
  if (!word.parts) return { text: word.text, value: word.value, computed: "no", splits: false };
  let value = "";
  let guess = "";
  let computed: Computed = "no";
  let splits = false;
  const literal = (text: string) => {
    value += text;
    guess += text;
  };
  const unknown = (what: Computed, options: { readonly quoted: boolean; readonly guess?: string }) => {
    value += UNKNOWN;
    guess += options.guess ?? UNKNOWN;
    splits ||= !options.quoted;
    if (ORDER.indexOf(what) > ORDER.indexOf(computed)) computed = what;
  };
  const take = (part: WordPart, quoted: boolean): void => {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return literal(part.value);
      case "DoubleQuoted":
      case "LocaleString":
        return part.parts.forEach((child) => take(child, true));
      case "Glob":
      case "BraceExpansion":
        return unknown("glob", { quoted });
      case "SimpleExpansion":
      case "ParameterExpansion": {
        const name = expandedName(part);
        if (name === undefined) return unknown("yes", { quoted });
        const many = name === "@" || name === "*";
        return unknown(context.loopNames.has(name) ? "loop" : "yes", {
          quoted: quoted && !many,
          guess: context.valueOf(name),
        });
      }
      case "CommandExpansion":
        return unknown(quoted && context.isProven(part) ? "proven" : "yes", { quoted });
      default:
        return unknown("yes", { quoted });
    }
  };
  for (const part of word.parts) take(part, false);
  return { text: word.text, value, computed, splits, ...(guess === value ? {} : { guess }) };
}

/** `x` of `$x` and `${x}`; undefined where anything is done to the value. */
function expandedName(part: WordPart): string | undefined {
  if (part.type === "SimpleExpansion") return part.text.slice(1);
  if (part.type !== "ParameterExpansion") return undefined;
  const plain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
  return plain ? part.parameter : undefined;
}

/** A word whose text is known. */
export function plainWord(value: string): ShellWord {
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
