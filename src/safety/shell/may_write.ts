/**
 * Which files a command may write, as far as its words tell: over-complete for writers, so that a file which decides what
 * runs later is never written without a person, and silent for options that leave files out.
 */
import { join } from "../../lib/path.ts";
import type { ShellWord } from "./analysis.ts";
import type { Findings } from "./findings.ts";
import { baseName } from "./word.ts";

/** Subcommands of git that write to the files they are given; the others write to the repository. */
const GIT_WRITERS = new Set(
  "mv rm checkout restore apply clean clone init worktree submodule".split(" "),
);
const GIT_CONFIG_READS = /^(--get(-all|-regexp|-urlmatch)?|--list|-l|get|list|--show-origin|--show-scope|--help)$/;

/** Options, and the words behind them, that name what is left alone. */
const LEFT_OUT = /^--?(exclude|ignore|skip|filter|not-|prune|x$|i?name|i?path|i?wholename|i?regex|g$|glob|iglob)/;

export function noteWrites(words: readonly ShellWord[], findings: Findings): void {
  const [program, ...args] = words;
  const name = baseName(program?.value ?? "");
  if (name === "git" && !gitWritesFiles(args, findings)) return;
  if (name === "find" && !args.some(({ value }) => /^-(delete|f(ls|print.*))$/.test(value))) return;
  args.forEach((word, i) => {
    if (LEFT_OUT.test(word.value) || LEFT_OUT.test(args[i - 1]?.value ?? "")) return;
    const path = pathOf(word);
    if (path === undefined) return;
    const value = /^[-\w]+=(.+)$/s.exec(path);
    if (value) findings.mayWrite.add(value[1]!);
    if (!path.startsWith("-")) findings.mayWrite.add(path);
    // `-ofile`
    else if (/^-[A-Za-z][^-=]/.test(path)) findings.mayWrite.add(path.slice(2));
  });
}

function gitWritesFiles(args: readonly ShellWord[], findings: Findings): boolean {
  const words = args.map(({ value }) => value);
  const config = words.indexOf("config");
  if (config >= 0) {
    const rest = words.slice(config + 1);
    const plain = rest.filter((word) => !word.startsWith("-"));
    if (!rest.some((word) => GIT_CONFIG_READS.test(word)) && (plain.length !== 1 || rest.length > 2)) {
      findings.mayWrite.add(words.includes("--global") ? "~/.gitconfig" : ".git/config");
    }
    return false;
  }
  if (
    words.includes("remote") &&
    words.some((word) => /^(add|set-url|remove|rm|rename|set-head|set-branches)$/.test(word))
  ) {
    findings.mayWrite.add(".git/config");
  }
  return words.some((word) => GIT_WRITERS.has(word));
}

/** The text of a word that may name a file; `~/` for the home folder, however it is spelled. */
export function pathOf(word: ShellWord): string | undefined {
  const home = /^"?(?:\$HOME|\$\{HOME\})"?(?=\/)/.exec(word.text);
  if (home && !/[$`*?[{]/.test(word.text.slice(home[0].length))) {
    return `~${word.text.slice(home[0].length).replace(/["'\\]/g, "")}`;
  }
  return word.computed === "no" && word.value !== "" && !word.value.includes("\n") ? word.value : undefined;
}

/** Bounds what a line of many `cd` can multiply to. */
const MOST_FOLDERS = 16;

/** Where later words may be meant from. */
export function noteFolder(words: readonly ShellWord[], findings: Findings): void {
  const [program, folder] = words;
  if (!program || !folder || !/^(cd|pushd)$/.test(program.value)) return;
  const path = pathOf(folder);
  if (path === undefined) return;
  for (const before of [...findings.folders].slice(0, MOST_FOLDERS)) findings.folders.add(join(before, path));
  findings.folders.add(path);
}
