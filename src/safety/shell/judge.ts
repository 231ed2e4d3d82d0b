/** Whether one program call only reads, and whether it runs something else by its arguments. */
import type { ShellWord } from "./analysis.ts";
import { judgeGit } from "./git.ts";
import { couldBeOption, options, readOptions } from "./options.ts";
import { type Reader, READERS } from "./readers.ts";
import { ARITHMETIC_BUILTINS, EVALUATORS, INTERPRETERS, RUNNING_OPTIONS, SHELLS } from "./runners.ts";

export interface Judgement {
  readonly readOnly: boolean;
  /** Set when the call runs a program or text its words only carry; a phrase for people. */
  readonly runs?: string;
  /** The program is one the tables speak of, so that its arguments are not taken for another program. */
  readonly known: boolean;
}

const GO_READERS = new Set(["vet", "doc", "list", "env", "version"]);
const GO_OPTIONS = options(
  "-json -m -u -deps -test -e -f= -compiled -find -versions -retracted -reuse= -all -c -cmd -short -src -v -n -x -tags= -mod= -modfile= -C= -changed",
);
/** Programs whose arguments are text or files, so a denied name among them is no hidden call. */
const INERT = new Set([
  "git",
  "go",
  "cargo",
  "npm",
  "mkdir",
  "touch",
  "cp",
  "mv",
  "rm",
  "ln",
  "chmod",
  "chown",
  "tee",
  "kill",
  "sleep",
  "export",
  "set",
  "unset",
  "read",
]);

/** `words[0]` is a program name that is fully known. */
export function judge(words: readonly ShellWord[]): Judgement {
  const name = words[0]!.value;
  if (name === "git") {
    const git = judgeGit(words);
    return { readOnly: git.readOnly, runs: git.runs, known: true };
  }
  const runs = runsByOption(name, words);
  if (runs !== undefined) return { readOnly: false, runs, known: true };
  if (name === "go") return { readOnly: goReads(words), known: true };
  const reader = READERS.get(name);
  const readOnly = reader !== undefined && reads(words, reader) && !evaluates(name, words);
  const known = reader !== undefined || INERT.has(name) || INTERPRETERS.has(name) || SHELLS.has(name) ||
    EVALUATORS.has(name);
  return { readOnly, known };
}

function reads(words: readonly ShellWord[], reader: Reader): boolean {
  if (reader.options === "any") return words.every((word) => word.computed !== "yes");
  let plain = 0;
  let met = reader.needs === undefined;
  let at = 1;
  while (at < words.length) {
    const read = readOptions(words, at, reader.options);
    if (read.unknown !== undefined) return readsWord(read.unknown);
    if (read.found.some((option) => option.value !== undefined && option.value.computed === "yes")) return false;
    met ||= read.found.some((option) => reader.needs?.includes(option.name));
    const ended = read.rest > at && words[read.rest - 1]!.value === "--";
    for (at = read.rest; at < words.length; at++) {
      const word = words[at]!;
      if (!ended && couldBeOption(word)) {
        if (word.value === "-") continue;
        break;
      }
      if (word.computed === "yes" || word.computed === "proven" || word.computed === "loop") return false;
      // File names from a glob may be many.
      plain += word.splits ? 2 : 1;
      if (reader.each && !reader.each.test(word.value)) return false;
    }
  }
  return met && (reader.most === undefined || plain <= reader.most);

  // `find` has words that are neither options nor harmless names: brackets and negation.
  function readsWord(unknown: string): boolean {
    return reader.style === "words" && unknown === "" ? true : false;
  }
}

/** Arguments that the shell itself would evaluate, as in `[ -v 'a[$(id)]' ]`. */
export function evaluates(name: string, words: readonly ShellWord[]): boolean {
  return ARITHMETIC_BUILTINS.has(name) && words.some((word) => hidesCode(word.value));
}

/** Text that is harmless as data and runs a command once arithmetic or a variable name is made of it. */
export function hidesCode(text: string): boolean {
  return /\[[^\]]*(\$\(|`)/.test(text) || /^\s*(\$\(|`)/.test(text);
}

function runsByOption(name: string, words: readonly ShellWord[]): string | undefined {
  for (const option of RUNNING_OPTIONS.get(name) ?? []) {
    const hit = words.slice(1).find(({ value }) =>
      option.length === 2
        ? value.startsWith(option) && !value.startsWith("--")
        : value === option || value.startsWith(`${option}=`)
    );
    if (hit) return `\`${name} ${hit.text}\` runs another program`;
  }
  return undefined;
}

function goReads(words: readonly ShellWord[]): boolean {
  const [, verb, ...rest] = words;
  if (verb === undefined || verb.computed !== "no" || !GO_READERS.has(verb.value)) return false;
  if (verb.value === "env" && rest.some(({ value }) => /^--?[wu](=|$)/.test(value))) return false;
  return rest.every((word) => {
    if (word.computed === "yes") return false;
    if (!couldBeOption(word)) return true;
    return GO_OPTIONS.words.has(word.value.replace(/^--/, "-").split("=", 1)[0]!);
  });
}
