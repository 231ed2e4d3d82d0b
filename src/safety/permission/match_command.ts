/**
 * Bash rules against an analysed command (permissions.md §2, decisions "Permissions"). Deny and ask rules are held against
 * every call found anywhere, in every spelling; an allow rule must cover each call as it is written.
 */
import type { CommandAnalysis, Layer, ShellWord, SimpleCommand } from "../shell/analysis.ts";
import { baseName, joined, literalWord, UNKNOWN } from "../shell/word.ts";
import type { Matcher } from "./rule.ts";
import { couldFit, fits } from "./wildcard.ts";

/** `maybe`: what the shell computes at run time decides, so no machine can rule it out. */
export type Match = "yes" | "maybe" | "no";

export interface MatchOptions {
  /** The file system takes `RM` for `rm`. */
  readonly foldCase?: boolean;
}

/** For deny and ask rules. */
export function findMatch(
  matcher: Matcher,
  command: string,
  options: MatchOptions & { readonly analysis?: CommandAnalysis },
): Match {
  const test = tester(matcher, options.foldCase === true);
  let best = test(command);
  for (const call of options.analysis?.commands ?? []) {
    if (best === "yes") return best;
    best = worse(best, matchCall(call, test));
  }
  return best;
}

function matchCall(call: SimpleCommand, test: (text: string) => Match): Match {
  let best = test(call.text);
  for (const layer of call.layers) {
    for (const spelling of spellings(layer.words)) {
      if (best === "yes") return best;
      best = worse(best, test(spelling));
    }
  }
  return best === "no" && !call.known ? hiddenAmong(call, test) : best;
}

/** `mywrap rm -rf x`: a program nobody knows, whose arguments read like a denied command. A person must look. */
function hiddenAmong(call: SimpleCommand, test: (text: string) => Match): Match {
  const words = call.layers.at(-1)!.words;
  for (let i = 1; i < Math.min(words.length, 16); i++) {
    if (spellings(words.slice(i)).some((spelling) => test(spelling) === "yes")) return "maybe";
  }
  return "no";
}

/** A call in the ways a rule may name it: as decoded, without the program's folder, with variables filled in. */
function spellings(words: readonly ShellWord[]): readonly string[] {
  const [program, ...rest] = words;
  if (!program) return [];
  const found = [joined(words)];
  const bare = baseName(program.value).replace(/\.(exe|cmd|bat|com)$/i, "");
  if (bare !== program.value) found.push(joined([{ ...program, value: bare }, ...rest]));
  if (words.some((word) => word.guess !== undefined)) {
    found.push(joined(words.map((word) => word.guess === undefined ? word : literalWord(word.guess))));
  }
  const braces = /^\{([^{}]*,[^{}]*)\}$/.exec(program.text);
  if (braces) found.push([braces[1]!.replaceAll(",", " "), joined(rest)].join(" ").trimEnd());
  return found;
}

function tester(matcher: Matcher, foldCase: boolean): (text: string) => Match {
  const fold = (text: string) => foldCase ? text.toLowerCase() : text;
  const either = (pattern: string) => {
    const folded = fold(pattern);
    return (text: string): Match => {
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
      // A cmdlet's name alone speaks of every call of it, in any letter case.
      const cmdlet = /^[A-Za-z]+-[A-Za-z]+$/.test(matcher.text) ? matcher.text.toLowerCase() : undefined;
      const wanted = fold(matcher.text);
      return (text) => {
        if (fold(text) === wanted) return "yes";
        if (cmdlet !== undefined && startsWithWord(text.toLowerCase(), cmdlet)) return "yes";
        return text.includes(UNKNOWN) && couldFit(escapeGlob(wanted), fold(text)) ? "maybe" : "no";
      };
    }
    case "prefix": {
      const alone = either(matcher.text);
      const followed = either(`${matcher.text} *`);
      return (text) => worse(alone(text), followed(text.replaceAll("\t", " ").replaceAll("\n", " ")));
    }
    case "glob":
      return either(matcher.pattern);
  }
}

/** Literal texts may hold `*` and `?`; none of them is a metacharacter there. */
function escapeGlob(text: string): string {
  return text.replace(/[*?]/g, "\u0001");
}

function startsWithWord(text: string, word: string): boolean {
  return text.startsWith(word) && (text.length === word.length || /\s/.test(text[word.length]!));
}

function worse(a: Match, b: Match): Match {
  if (a === "yes" || b === "yes") return "yes";
  return a === "maybe" || b === "maybe" ? "maybe" : "no";
}

/** Which allow rule, if any, covers the one call. The caller has made sure that the line is static. */
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
      return call.layers.some((layer, i) => (i === 0 || layer.harmless) && prefixCovers(matcher.text, layer, call));
  }
}

/** The prefix must reach the program that really runs: `Bash(nohup:*)` says nothing of what it starts. */
function prefixCovers(prefix: string, layer: Layer, call: SimpleCommand): boolean {
  const inner = call.layers.at(-1)!;
  const words = prefix.split(/\s+/);
  if (words.length > inner.skipped - layer.skipped) {
    if (words.every((word, i) => layer.words[i] !== undefined && fits(word, layer.words[i]!.value))) return true;
  }
  // The prefix may have quotes in it; then it is held against the text as written.
  return layer.skipped === 0 && call.layers.length === 1 && /["'\\]/.test(prefix) && startsWithWord(call.text, prefix);
}
