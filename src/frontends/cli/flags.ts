/**
 * The command line as data: one table of flags per command. Parsing, usage texts, completion and the pins of the
 * tests all read it. The parser is a page long and imports nothing, because every start of the program pays for it.
 */
import { closestName } from "../../lib/closest_name.ts";

export interface Flag {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly short?: string;
  /** What the flag takes: nothing, a value, or a value that may be left out. */
  readonly takes: "nothing" | "value" | "optional";
  readonly repeatable?: boolean;
  /** Placeholder in the usage text. */
  readonly value?: string;
  /** Closed list of values; checked and completed. */
  readonly choices?: readonly string[];
  readonly help: string;
  /** Accepted and explained, but not shown in usage. */
  readonly hidden?: boolean;
}

export interface ParsedFlags {
  /** Values by flag name; a flag without value has `true`. Repeatable flags are lists. */
  readonly values: ReadonlyMap<string, true | string | readonly string[]>;
  readonly words: readonly string[];
}

/** What a flag was given; undefined where it is absent or stands without a value. */
export function textOf({ values }: Pick<ParsedFlags, "values">, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === "string" ? value : undefined;
}

/** A wrong command line: exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** Flags may stand between words. `--` ends them. */
export function parseFlags(argv: readonly string[], flags: readonly Flag[]): ParsedFlags {
  const values = new Map<string, true | string | string[]>();
  const words: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!;
    if (word === "--") {
      words.push(...argv.slice(at + 1));
      break;
    }
    if (!isFlag(word)) {
      words.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const written = equals < 0 ? word : word.slice(0, equals);
    const flag = findFlag(written, flags);
    if (flag === undefined) throw unknownFlag(written, flags);
    const inline = equals < 0 ? undefined : word.slice(equals + 1);
    if (flag.takes === "nothing") {
      if (inline !== undefined && inline !== "true" && inline !== "false") {
        throw new UsageError(`${written} takes no value`);
      }
      if (inline !== "false") values.set(flag.name, true);
      continue;
    }
    const next = argv[at + 1];
    let value = inline;
    if (value === undefined && next !== undefined && !isFlag(next)) {
      value = next;
      at++;
    }
    if (value === undefined && flag.takes === "value") {
      throw new UsageError(`${written} needs a value${flag.value ? `: ${written} ${flag.value}` : ""}`);
    }
    if (value !== undefined && flag.choices && !flag.choices.includes(value)) {
      throw new UsageError(`${written} takes one of ${flag.choices.join(", ")}; got "${value}"`);
    }
    if (!flag.repeatable) values.set(flag.name, value ?? true);
    else {values.set(flag.name, [
        ...(values.get(flag.name) as string[] | undefined ?? []),
        ...(value === undefined ? [] : [value]),
      ]);}
  }
  return { values, words };
}

/** `-` alone is a word. */
export function isFlag(word: string): boolean {
  return word.length > 1 && word.startsWith("-") && !/^-\d/.test(word);
}

export function findFlag(written: string, flags: readonly Flag[]): Flag | undefined {
  return flags.find((flag) => spellings(flag).includes(written));
}

export function spellings(flag: Flag): string[] {
  const long = [flag.name, ...(flag.aliases ?? [])].map((name) => `--${name}`);
  return flag.short ? [`-${flag.short}`, ...long] : long;
}

export function unknownFlag(written: string, flags: readonly Flag[]): UsageError {
  const near = closestName(written, flags.flatMap(spellings));
  return new UsageError(`unknown flag ${written}${near ? `; did you mean ${near}?` : ""}`);
}
