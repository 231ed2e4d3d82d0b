/**
 * Bash rules against an analysed command. Deny and ask rules are held against every call found anywhere, in every
 * spelling; an allow rule must cover each call as it is written.
 */
import type { CommandAnalysis, Layer, ShellWord, SimpleCommand } from "../shell/analysis.ts";
import { baseName, joined, plainWord, UNKNOWN } from "../shell/word.ts";
import type { Matcher } from "./rule.ts";
import { couldFit, fits } from "./wildcard.ts";

/** `maybe`: what the shell computes at run time decides, so nobody can rule it out beforehand. */
export type Match = "yes" | "maybe" | "no";

type Test = (text: string) => Match;

/** How many words of a call are tried as the beginning of another. */
const MOST_SUFFIXES = 12;

/** A command with every text that a deny or ask rule is held against; made once, for all rules. */
export interface SpelledCommand {
  readonly command: string;
  readonly names: readonly string[];
  /** What the arguments of programs nobody knows read like. */
  readonly hidden: readonly string[];
}

export function spellCommand(command: string, analysis: CommandAnalysis | undefined): SpelledCommand {
  const names = new Set([command]);
  const hidden = new Set<string>();
  for (const call of analysis?.commands ?? []) {
    addCall(call, names);
    if (!call.known) addHidden(call, hidden);
  }
  return { command, names: [...names], hidden: [...hidden] };
}

function addCall(call: SimpleCommand, found: Set<string>): void {
  found.add(call.text);
  for (const { words } of call.layers) addSpellings(words, found);
  for (const words of call.suspects) addSpellings(words, found);
}

/** For deny and ask rules. */
export function findMatch(matcher: Matcher, spelled: SpelledCommand, options: { readonly foldCase: boolean }): Match {
  if (matcher.kind === "any") return "yes";
  const test = tester(matcher, options.foldCase);
  let best: Match = "no";
  for (const name of spelled.names) {
    const match = test(name);
    if (match === "yes") return match;
    if (match === "maybe") best = match;
  }
  return best === "no" && spelled.hidden.some((text) => test(text) === "yes") ? "maybe" : best;
}

/** `mywrap rm -rf x`: a program nobody knows, whose arguments read like a denied command. A person must look. */
function addHidden(call: SimpleCommand, hidden: Set<string>): void {
  const words = call.layers.at(-1)!.words;
  for (let i = 1; i < Math.min(words.length, MOST_SUFFIXES); i++) addSpellings(words.slice(i), hidden);
  for (const inner of call.perhaps) {
    addCall(inner, hidden);
    addHidden(inner, hidden);
  }
}

/**
 * A call in the ways a rule may name it: as decoded, without the program's folder, without options in front of a
 * subcommand, with the line's own variables filled in, with braces opened.
 */
function addSpellings(words: readonly ShellWord[], found: Set<string>): void {
  const [program, ...rest] = words;
  if (!program) return;
  // What is filled in at the end may be nothing at all, and a prefix is complete before it.
  const last = rest.at(-1);
  if (last?.splits && last.value === UNKNOWN) addSpellings(words.slice(0, -1), found);
  const bare = baseName(program.value).replace(/\.(exe|cmd|bat|com)$/i, "");
  const names = bare === program.value ? [program] : [program, { ...program, value: bare }];
  const tails = rest[0]?.value.startsWith("-") ? [rest, ...withoutOptions(rest)] : [rest];
  for (const name of names) for (const tail of tails) found.add(joined([name, ...tail]));
  if (words.some((word) => word.guess !== undefined)) {
    found.add(joined(words.map((word) => word.guess === undefined ? word : plainWord(word.guess))));
  }
  const braces = /^\{([^{}]*,[^{}]*)\}$/.exec(program.text);
  if (braces) found.add([...braces[1]!.split(","), joined(rest)].join(" ").trimEnd());
}

/** `git -C x push` is `git push`; whether an option there takes a value is not known, so both are tried. */
function withoutOptions(words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  let tails: (readonly ShellWord[])[] = [words];
  const found: (readonly ShellWord[])[] = [];
  for (let depth = 0; depth < 4 && tails.length > 0; depth++) {
    tails = tails.flatMap((tail) => tail[0]?.value.includes("=") ? [tail.slice(1)] : [tail.slice(1), tail.slice(2)]);
    found.push(...tails.filter((tail) => tail[0]?.computed === "no" && !tail[0].value.startsWith("-")));
    tails = tails.filter((tail) => tail[0]?.value.startsWith("-"));
  }
  return found;
}

function tester(matcher: Matcher, foldCase: boolean): Test {
  const fold = (text: string) => foldCase ? text.toLowerCase() : text;
  const glob = (pattern: string): Test => {
    const folded = fold(pattern);
    return (text) => {
      const candidate = fold(text);
      if (fits(folded, candidate)) return "yes";
      return candidate.includes(UNKNOWN) && couldFit(folded, candidate) ? "maybe" : "no";
    };
  };
  switch (matcher.kind) {
    case "any":
      return () => "yes";
    case "literal":
    case "exact": {
      const wanted = fold(matcher.text);
      // A cmdlet's name alone speaks of every call of it, in any letter case.
      const cmdlet = /^[A-Za-z]+-[A-Za-z]+$/.test(matcher.text) ? matcher.text.toLowerCase() : undefined;
      return (text) => {
        if (fold(text) === wanted) return "yes";
        if (cmdlet !== undefined && startsWithWord(text.toLowerCase(), cmdlet)) return "yes";
        return text.includes(UNKNOWN) && couldFit(asPlain(wanted), asPlain(fold(text))) ? "maybe" : "no";
      };
    }
    case "prefix": {
      const alone = glob(matcher.text);
      const followed = glob(`${matcher.text} *`);
      return (text) => stronger(alone(text), followed(/[\t\n]/.test(text) ? text.replace(/[\t\n]/g, " ") : text));
    }
    case "glob":
      return glob(matcher.pattern);
  }
}

/** In a literal, `*` and `?` stand for themselves. */
function asPlain(text: string): string {
  return text.replaceAll("*", "\u0001").replaceAll("?", "\u0002");
}

function startsWithWord(text: string, word: string): boolean {
  return text.startsWith(word) && (text.length === word.length || /\s/.test(text[word.length]!));
}

function stronger(a: Match, b: Match): Match {
  if (a === "yes" || b === "yes") return "yes";
  return a === "maybe" || b === "maybe" ? "maybe" : "no";
}

/** Whether an allow rule covers the one call. The caller has made sure that the line is static. */
export function coversCall(matcher: Matcher, call: SimpleCommand): boolean {
  switch (matcher.kind) {
    case "any":
      return true;
    case "literal":
    case "exact":
      return call.text === matcher.text;
    case "glob":
      return fits(matcher.pattern, call.text);
    case "prefix":
      return call.layers.some((layer) => layer.harmless && prefixCovers(matcher.text, layer, call));
  }
}

/** The prefix must reach the program that really runs: `Bash(nohup:*)` says nothing of what it starts. */
function prefixCovers(prefix: string, layer: Layer, call: SimpleCommand): boolean {
  const wrappers = call.layers.at(-1)!.skipped - layer.skipped;
  const names = prefix.split(/\s+/);
  if (names.length > wrappers && names.every((name, i) => fitsWord(name, layer.words[i]))) return true;
  // A prefix with quotes in it is held against the text as written.
  return wrappers === 0 && layer.skipped === 0 && /["'\\]/.test(prefix) && startsWithWord(call.text, prefix);
}

function fitsWord(name: string, word: ShellWord | undefined): boolean {
  return word !== undefined && fits(name, word.value);
}
