/** Whether one program call only reads, and whether it runs something else by its options. */
import type { ShellWord } from "./analysis.ts";
import { judgeGit } from "./git.ts";
import { couldBeOption, options, readOptions } from "./options.ts";
import { awkRuns, sedRuns } from "./little_languages.ts";
import { INERT, type Reader, READERS } from "./readers.ts";
import { EVALUATE_ARGUMENTS, interpreterNamed, RUNNING_OPTIONS, RUNNING_TEXT, SETTERS, SHELLS } from "./runners.ts";
import { baseName } from "./word.ts";

export interface Judgement {
  readonly readOnly: boolean;
  /** Why a person is needed, as a phrase: the call runs a program its words only carry. */
  readonly runs?: string;
  /** The program it runs by an option, as in `find -exec rm`. */
  readonly inner?: readonly ShellWord[];
  /** The tables know the program, so its arguments are not taken for another program. */
  readonly known: boolean;
  /** Where git works. */
  readonly gitFolder?: string;
  /** What it does beside its work, as a phrase, so that no rule for the program speaks of it. */
  readonly besides?: string;
}

/** `words[0]` is a program name that is fully known. */
export function judge(words: readonly ShellWord[]): Judgement {
  const [program, ...args] = words;
  const name = baseName(program!.value);
  if (name === "git") {
    const { readOnly, runs, writesFile, folder } = judgeGit(words);
    return {
      readOnly: readOnly && program!.text === name,
      known: true,
      ...(runs === undefined ? {} : { runs }),
      ...(writesFile ? { besides: "an option that writes a file" } : {}),
      ...(folder === undefined ? {} : { gitFolder: folder }),
    };
  }
  const started = runsByOption(name, args);
  if (started) return { readOnly: false, known: true, ...started };
  if (evaluates(name, args)) {
    return { readOnly: false, runs: "an argument that the shell would run", known: true };
  }
  const reader = READERS.get(name);
  const reads = name === "go" ? goReads(args) : reader !== undefined && onlyReads(args, reader);
  const sets = SETTERS.has(name) && !reads || name === "printf" && printsIntoVariable(args);
  return {
    // Whoever spells a reader `w'h'o`, or by its path, hides something or means another program.
    readOnly: reads && !sets && program!.text === name && !(TESTS.has(name) && testsPieces(args)),
    ...(sets ? { besides: "a builtin that changes variables" } : {}),
    known: (reader !== undefined && reader.needs === undefined) || INERT.has(name) ||
      interpreterNamed(name) !== undefined || SHELLS.has(name),
  };
}

function onlyReads(args: readonly ShellWord[], reader: Reader): boolean {
  if (reader.options === "any") return args.every((word) => word.computed !== "yes");
  let plain = 0;
  let met = reader.needs === undefined;
  for (let at = 0; at < args.length;) {
    const read = readOptions(args, at, reader.options);
    if (read.unknown !== undefined) return false;
    for (const { name, value, text } of read.found) {
      if (value !== undefined && value.computed !== "no") return false;
      if (reader.values?.[name]?.test(text ?? "") === false) return false;
      met ||= reader.needs?.includes(name) ?? false;
    }
    const ended = read.rest > at && args[read.rest - 1]!.value === "--";
    for (at = read.rest; at < args.length; at++) {
      const word = args[at]!;
      if (!ended && word.value !== "-" && couldBeOption(word)) break;
      if (word.computed !== "no" && word.computed !== "glob") return false;
      if (reader.each?.test(word.value) === false) return false;
      // A pattern may become many names.
      plain += word.splits ? Infinity : 1;
    }
    if (at === read.rest && at < args.length && args[at]!.computed !== "no") return false;
  }
  return met && plain <= (reader.most ?? Infinity);
}

/** Arguments that the shell itself would evaluate, as in `[ -v 'a[$(id)]' ]`. */
function evaluates(name: string, args: readonly ShellWord[]): boolean {
  if (!EVALUATE_ARGUMENTS.has(name)) return false;
  // The name of a file may be the name of a variable with a command in its index.
  if (TESTS.has(name) && args.some(({ value }) => /^-[vR]$/.test(value))) {
    if (args.some(({ computed }) => computed !== "no")) return true;
  }
  return args.some((word) => hidesCode(word.value));
}

const TESTS = new Set(["test", "["]);

/** Computed words of which one may turn out to be `-v` and the next the name of a variable. */
function testsPieces(args: readonly ShellWord[]): boolean {
  return args.some((word, i) =>
    word.computed !== "no" && (word.splits || (couldBeOption(word) && (args[i + 1]?.computed ?? "no") !== "no"))
  );
}

/** `-v NAME`, or `%n` in a format, which puts a number into the variable it is given. */
function printsIntoVariable(args: readonly ShellWord[]): boolean {
  if (args[0]?.value.startsWith("-v")) return true;
  const format = args[0]?.value === "--" ? args[1] : args[0];
  return format !== undefined &&
    (format.computed !== "no" || /%[^A-Za-z%]*[hjlLqtz]*n/.test(format.value.replaceAll("%%", "")));
}

/** Text that is harmless as data and runs a command once arithmetic or a variable's name is made of it. */
export function hidesCode(text: string): boolean {
  const index = text.indexOf("[");
  if (index >= 0) {
    const code = Math.max(text.lastIndexOf("$("), text.lastIndexOf("`"), text.lastIndexOf("<("));
    if (code > index) return true;
  }
  return /^\s*(?:\$\(|`)/.test(text);
}

function runsByOption(name: string, args: readonly ShellWord[]): Pick<Judgement, "runs" | "inner"> | undefined {
  const listed = RUNNING_OPTIONS.get(name) ?? [];
  const text = RUNNING_TEXT.get(name);
  const at = args.findIndex(({ value }) => listed.some((option) => fitsOption(value, option)) || text?.test(value));
  if (at < 0 && AWK.has(name) && awkRuns(args)) return { runs: `the \`${name}\` program runs others` };
  if (at < 0 && name === "sed" && args.some(({ value }) => sedRuns(value))) {
    return { runs: "the `sed` script runs others" };
  }
  if (at < 0) return undefined;
  const runs = `\`${name} ${args[at]!.text}\` runs another program`;
  return /^-+(exec|ok|x$)/i.test(args[at]!.value) ? { runs, inner: upToEnd(args.slice(at + 1)) } : { runs };
}

function fitsOption(word: string, option: string): boolean {
  if (option.endsWith("*")) return word.startsWith(option.slice(0, -1));
  return word === option || word.startsWith(`${option}=`);
}

/** The program of `find -exec`, up to `;` or `+`. */
function upToEnd(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex(({ value }) => value === ";" || value === "+");
  return end < 0 ? words : words.slice(0, end);
}

const AWK = new Set(["awk", "gawk", "mawk", "nawk"]);
const GO_READERS = new Set(["vet", "doc", "list", "env", "version"]);
const GO_OPTIONS = options(`
  -json -m -u -deps -test -e -f= -compiled -find -versions -retracted -reuse= -all -c -cmd -short -src -v -n -x
  -tags= -mod= -modfile= -changed
`);

function goReads(args: readonly ShellWord[]): boolean {
  const [verb, ...rest] = args;
  if (verb?.computed !== "no" || !GO_READERS.has(verb.value)) return false;
  return rest.every((word) => {
    if (word.computed !== "no" && word.computed !== "glob") return false;
    if (!couldBeOption(word)) return true;
    if (verb.value === "env") return word.value === "-json" || word.value === "-changed";
    return GO_OPTIONS.words.has(word.value.replace(/^--/, "-").split("=", 1)[0]!);
  });
}
