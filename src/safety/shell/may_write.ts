/**
 * Which files a command may write, as far as its words tell: over-complete for writers, so that a file which decides what
 * runs later is never written without a person, and silent for options that leave files out.
 */
import { join } from "../../lib/path.ts";
import type { ShellWord } from "./analysis.ts";
import type { Findings } from "./findings.ts";
import { GIT_GLOBAL } from "./git_options.ts";
import { readOptions } from "./options.ts";
import { baseName } from "./word.ts";

/** Subcommands of git that write to the files they are given; the others write to the repository. */
const GIT_WRITERS = new Set(
  "mv rm checkout restore apply clean clone init worktree submodule".split(" "),
);
const GIT_CONFIG_READS = /^(--get(-all|-regexp|-urlmatch)?|--list|-l|get|list|--show-origin|--show-scope|--help)$/;

const GIT_REMOTE_WRITES = new Set("add set-url remove rm rename set-head set-branches".split(" "));

/** Options, and the words behind them, that name what is left alone. */
const LEFT_OUT = /^--?(exclude|ignore|skip|filter|not-|prune|x$|i?name|i?path|i?wholename|i?regex|g$|glob|iglob)/;

export function noteWrites(words: readonly ShellWord[], findings: Findings): void {
  const [program, ...args] = words;
  const name = baseName(program?.value ?? "");
  if (name === "git" && !gitWritesFiles(words, findings)) return;
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

/** Notes git's own settings where they are written; true when the words behind the subcommand are files it writes. */
function gitWritesFiles(words: readonly ShellWord[], findings: Findings): boolean {
  const { rest, found } = readOptions(words, 1, GIT_GLOBAL);
  const [subcommand, ...args] = words.slice(rest).map(({ value }) => value);
  const folders = found.filter(({ name }) => name === "-C").map(({ text = "." }) => text);
  const settings = join(...folders, ".git/config");
  if (subcommand === "config" && writesSettings(args)) {
    findings.mayWrite.add(args.includes("--global") ? "~/.gitconfig" : settings);
  }
  if (subcommand === "remote" && GIT_REMOTE_WRITES.has(args[0] ?? "")) findings.mayWrite.add(settings);
  return GIT_WRITERS.has(subcommand ?? "");
}

/** One name alone asks for its value. */
function writesSettings(args: readonly string[]): boolean {
  if (args.some((word) => GIT_CONFIG_READS.test(word))) return false;
  return args.length > 2 || args.filter((word) => !word.startsWith("-")).length !== 1;
}

/** The text of a word that may name a file; `~/` for the home folder, however it is spelled. */
export function pathOf(word: ShellWord): string | undefined {
  const home = /^"?(?:\$HOME|\$\{HOME\})"?(?=\/)/.exec(word.text);
  if (home && !/[$`*?[{]/.test(word.text.slice(home[0].length))) {
    return `~${word.text.slice(home[0].length).replace(/["'\\]/g, "")}`;
  }
  return word.computed === "no" && word.value !== "" && !word.value.includes("\n") ? word.value : undefined;
}

const TOP_LEVEL = '"$(git rev-parse --show-toplevel)"';

/** Bounds what a line of many `cd` can multiply to. */
const MOST_FOLDERS = 16;

/** Where later words may be meant from. */
export function noteFolder(words: readonly ShellWord[], findings: Findings): void {
  const [program, ...args] = words;
  if (!program || !/^(cd|pushd|popd)$/.test(program.value)) return;
  const folder = args.find(({ value }) => !/^[-+][A-Za-z0-9]*$/.test(value) && value !== "--") ?? args.at(-1);
  // Back to where the line has been.
  if (program.value === "popd" || folder?.text === "-") return;
  const top = folder?.text === TOP_LEVEL;
  const path = folder && pathOf(folder);
  // `cd -P` takes `..` for what lies above where a link leads, and an option nobody knows may take anything for anything.
  if ((path === undefined && !top) || args.length > 1) findings.lost = true;
  if (path === undefined) return;
  if (findings.folders.size > MOST_FOLDERS) findings.lost = true;
  for (const before of [...findings.folders].slice(0, MOST_FOLDERS)) findings.folders.add(join(before, path));
  findings.folders.add(path);
}
