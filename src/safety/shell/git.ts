/**
 * git, whose options name programs and files in many places. What reads is listed by subcommand and option; what can
 * start a program makes the line nested, so that not even `Bash(git *)` covers it.
 */
import { join } from "../../lib/path.ts";
import type { ShellWord } from "./analysis.ts";
import {
  GIT_GLOBAL,
  GIT_READING,
  HARMLESS_GIT_GLOBAL,
  HARMLESS_GIT_SETTING,
  STARTING_GIT_OPTIONS,
} from "./git_options.ts";
import { type OptionGrammar, readOptions } from "./options.ts";

export interface GitVerdict {
  readonly readOnly: boolean;
  /** A file named by an option is written, which no rule for the subcommand speaks of. */
  readonly writesFile?: boolean;
  /** Why a person is needed, as a phrase. */
  readonly runs?: string;
  /** Where it works: `-C` from where the line stands. */
  readonly folder?: string;
}

const WRITES: GitVerdict = { readOnly: false };

export function judgeGit(words: readonly ShellWord[]): GitVerdict {
  const global = readOptions(words, 1, GIT_GLOBAL);
  if (global.unknown !== undefined) return WRITES;
  let readOnly = true;
  for (const { name, value, text = "" } of global.found) {
    if (name === "-c" || name === "--config-env") {
      if (name === "-c" && HARMLESS_GIT_SETTING.test(text)) continue;
      return { readOnly: false, runs: `the git setting \`${text}\` may start a program` };
    }
    if (name === "--exec-path" && text !== "") return { readOnly: false, runs: "`--exec-path` names git's programs" };
    if (!HARMLESS_GIT_GLOBAL.has(name) || (value !== undefined && value.computed !== "no")) readOnly = false;
  }
  const subcommand = words[global.rest];
  const args = words.slice(global.rest + 1);
  if (subcommand === undefined) return { readOnly: readOnly || onlyTells(global.found) };
  if (subcommand.computed !== "no") return WRITES;
  const runs = startsProgram(subcommand.value, args);
  if (runs !== undefined) return { readOnly: false, runs };
  const grammar = GIT_READING.get(subcommand.value);
  if (grammar && args.some(({ value }) => startsWithOption(value, "--output"))) {
    return { readOnly: false, writesFile: true };
  }
  const folders = global.found.filter(({ name }) => name === "-C").map(({ text = "." }) => text);
  // Behind a link, `..` is not where it seems to be.
  if (/[^./][^/]*\/+\.\.(\/|$)|\.\.\.[^/]*\/+\.\./.test(folders.join("/"))) readOnly = false;
  return { readOnly: readOnly && grammar !== undefined && onlyKnown(args, grammar), folder: join(".", ...folders) };
}

function onlyTells(found: readonly { readonly name: string }[]): boolean {
  return found.length === 1 && ["--version", "-v", "--exec-path", "--html-path"].includes(found[0]!.name);
}

/** Options may stand between other words, up to `--`. */
function onlyKnown(args: readonly ShellWord[], grammar: OptionGrammar): boolean {
  for (let at = 0; at < args.length;) {
    const { rest, unknown, found } = readOptions(args, at, grammar);
    if (unknown !== undefined || found.some(({ value }) => value !== undefined && value.computed !== "no")) {
      return false;
    }
    if (rest > at && args[rest - 1]!.value === "--") {
      return args.slice(rest).every(({ computed }) => computed !== "yes");
    }
    if (rest < args.length && args[rest]!.computed !== "no" && args[rest]!.computed !== "glob") return false;
    at = rest + 1;
  }
  return true;
}

const WITH_URLS = new Set("clone fetch pull push ls-remote remote submodule archive fetch-pack send-pack".split(" "));

function startsProgram(subcommand: string, args: readonly ShellWord[]): string | undefined {
  const options = STARTING_GIT_OPTIONS.get(subcommand) ?? [];
  const hit = args.find(({ value }) => options.some((option) => startsWithOption(value, option)));
  if (hit) return `\`git ${subcommand} ${hit.text}\` starts another program`;
  if (!WITH_URLS.has(subcommand)) return undefined;
  const helper = args.find(({ value }) => /^(--[\w-]+=)?[\w+.-]+::/.test(value));
  return helper && `\`${helper.text}\` makes git start a helper program`;
}

function startsWithOption(word: string, option: string): boolean {
  if (option === "") return true;
  if (!option.startsWith("-")) return word === option;
  if (!option.startsWith("--")) return !word.startsWith("--") && new RegExp(`^-[A-Za-z]*${option[1]}`).test(word);
  // git takes any unambiguous beginning of a long option.
  const name = word.split("=", 1)[0]!;
  return name.length > 3 && name.startsWith("--") && option.startsWith(name);
}
