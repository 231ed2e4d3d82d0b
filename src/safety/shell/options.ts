/**
 * Option grammars as data. One line says which options a program takes and which of them swallow a value, in the
 * notation of `options()`. Whatever the line does not name is unknown, and unknown is never harmless.
 */
import type { ShellWord } from "./analysis.ts";
import { UNKNOWN } from "./word.ts";

export interface OptionGrammar {
  /** Letters that stand alone, as in `-l`. */
  readonly flags: ReadonlySet<string>;
  /** Letters with a value, attached or next: `-n5`, `-n 5`. */
  readonly valued: ReadonlySet<string>;
  /** Letters with a value that must be attached: `-i.bak`. */
  readonly attached: ReadonlySet<string>;
  /** Whole words, `--long` or `-long`, and how they take a value. */
  readonly words: ReadonlyMap<string, "none" | "value" | "optional">;
  /** `-5` is a number, as in `head -5`. */
  readonly numbers: boolean;
}

/**
 * `ab` two flags, `n:` a flag with a value, `i?` one with an attached value, `#` numbers, `--all` and `-name` words,
 * `--key=` a word with a value, `--key=?` one with an attached value only.
 */
export function options(notation: string): OptionGrammar {
  const flags = new Set<string>();
  const valued = new Set<string>();
  const attached = new Set<string>();
  const words = new Map<string, "none" | "value" | "optional">();
  let numbers = false;
  for (const token of notation.split(/\s+/)) {
    if (token === "#") numbers = true;
    else if (token.endsWith("=?")) words.set(token.slice(0, -2), "optional");
    else if (token.endsWith("=")) words.set(token.slice(0, -1), "value");
    else if (token.startsWith("-")) words.set(token, "none");
    else if (/^.[:?]$/.test(token)) (token[1] === ":" ? valued : attached).add(token[0]!);
    else if (/[:?]/.test(token)) throw new TypeError(`"${token}" is no option notation`);
    else for (const letter of token) flags.add(letter);
  }
  return { flags, valued, attached, words, numbers };
}

export interface ReadOptions {
  /** Index of the first word that is no option, or the number of words. */
  readonly rest: number;
  /** The first option the grammar does not know, as written. */
  readonly unknown?: string;
  readonly found: readonly { readonly name: string; readonly value?: ShellWord; readonly text?: string }[];
}

/**
 * Reads options from `start` up to the first other word. A word whose text nobody knows ends them as `unknown` when it
 * could be an option.
 */
export function readOptions(words: readonly ShellWord[], start: number, grammar: OptionGrammar): ReadOptions {
  const found: { name: string; value?: ShellWord; text?: string }[] = [];
  let at = start;
  while (at < words.length) {
    const word = words[at]!;
    if (couldBeOption(word) && word.computed !== "no") return { rest: at, unknown: word.text, found };
    if (!word.value.startsWith("-") || (word.value === "-" && !grammar.words.has("-"))) break;
    if (word.value === "--") return { rest: at + 1, found };
    at++;
    const unknown = readOne(word.value);
    if (unknown !== undefined) return { rest: at - 1, unknown, found };
  }
  return { rest: Math.min(at, words.length), found };

  function readOne(text: string): string | undefined {
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    const takes = grammar.words.get(name);
    if (takes !== undefined) {
      if (equals >= 0) {
        if (takes === "none") return text;
        found.push({ name, text: text.slice(equals + 1) });
      } else if (takes === "value") {
        found.push({ name, value: words[at], text: words[at]?.value });
        at++;
      } else {
        found.push({ name });
      }
      return undefined;
    }
    if (text.startsWith("--")) return text;
    if (grammar.numbers && /^-\d+$/.test(text)) return undefined;
    for (let i = 1; i < text.length; i++) {
      const letter = text[i]!;
      if (grammar.flags.has(letter)) {
        found.push({ name: `-${letter}` });
      } else if (grammar.valued.has(letter)) {
        if (i + 1 < text.length) found.push({ name: `-${letter}`, text: text.slice(i + 1) });
        else {
          found.push({ name: `-${letter}`, value: words[at], text: words[at]?.value });
          at++;
        }
        return undefined;
      } else if (grammar.attached.has(letter)) {
        found.push({ name: `-${letter}`, text: text.slice(i + 1) });
        return undefined;
      } else {
        return text;
      }
    }
    return undefined;
  }
}

/** True unless the word certainly does not begin with `-`. */
export function couldBeOption(word: ShellWord): boolean {
  const first = word.value[0];
  if (word.computed === "no") return first === "-";
  return first === undefined || first === "-" || first === UNKNOWN;
}
