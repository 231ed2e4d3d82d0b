/** Commands that deserve a second look, and what is lost by them: a warning in the prompt, and no prefix is offered. */
import type { ShellWord, SimpleCommand } from "./analysis.ts";
import { baseName } from "./word.ts";

export interface Danger {
  /** End of a sentence about the command. */
  readonly text: string;
  /** Work is lost that nothing brings back: asked about in every posture that asks at all. */
  readonly discards: boolean;
}

export function dangerOf(commands: readonly SimpleCommand[]): Danger | undefined {
  let first: Danger | undefined;
  for (const { layers, suspects } of commands) {
    for (const words of [...layers.map((layer) => layer.words), ...suspects]) {
      const danger = dangerOfCall(words);
      if (danger?.discards) return danger;
      first ??= danger;
    }
  }
  return first;
}

const loses = (text: string): Danger => ({ text, discards: true });
const warns = (text: string): Danger => ({ text, discards: false });

function dangerOfCall(words: readonly ShellWord[]): Danger | undefined {
  const name = baseName(words[0]?.value ?? "");
  const args = words.slice(1).map(({ value }) => value);
  const ended = args.indexOf("--");
  const options = (ended < 0 ? args : args.slice(0, ended)).filter((word) => word.startsWith("-"));
  const has = (letters: string, ...long: string[]) =>
    options.some((word) => long.includes(word.split("=", 1)[0]!) || new RegExp(`^-[A-Za-z]*[${letters}]`).test(word));
  switch (name) {
    case "rm":
      if (has("rR", "--recursive")) return warns("deletes folders with everything in them");
      return has("f", "--force") ? warns("deletes without asking") : undefined;
    case "sudo":
    case "doas":
    case "su":
    case "pkexec":
    case "run0":
      return warns("runs as another user");
    case "chmod":
      return args.some(isWorldWritable) ? warns("lets every user of the machine write") : undefined;
    case "git":
      return dangerOfGit(args, has);
    case "find":
      return args.includes("-delete") ? warns("deletes every file found") : undefined;
    case "dd":
      return args.some((word) => word.startsWith("of=")) ? warns("overwrites a file or a disk") : undefined;
    case "shred":
    case "wipefs":
      return warns("destroys data beyond recovery");
    case "truncate":
      return warns("cuts off what a file holds");
    default:
      return name.startsWith("mkfs") ? warns("formats a disk") : undefined;
  }
}

function isWorldWritable(mode: string): boolean {
  return /^[0-7]{0,3}[2367]$/.test(mode) && mode.length >= 3 || /^[ug]*[ao][ugoa]*[+=][rxst]*w/.test(mode) ||
    /^\+[rxst]*w/.test(mode);
}

function dangerOfGit(
  args: readonly string[],
  has: (letters: string, ...long: string[]) => boolean,
): Danger | undefined {
  const words = args.filter((word) => !word.startsWith("-"));
  const is = (verb: string) => words.includes(verb);
  if (is("push")) {
    if (has("f", "--force", "--force-with-lease", "--force-if-includes", "--mirror") || words.some(isForced)) {
      return warns("overwrites the history of the remote");
    }
    if (has("d", "--delete") || words.some((word) => /^:./.test(word))) return warns("deletes a branch of the remote");
  }
  if (is("reset") && has("", "--hard", "--merge", "--keep")) return loses("throws away uncommitted changes");
  if (is("clean") && has("f", "--force") && !has("n", "--dry-run")) return loses("deletes untracked files");
  if (is("checkout") && (args.includes("--") || args.includes(".") || has("f", "--force"))) {
    return loses("throws away uncommitted changes");
  }
  if (is("switch") && has("f", "--force", "--discard-changes")) return loses("throws away uncommitted changes");
  if (is("restore") && (!has("S", "--staged") || has("W", "--worktree"))) {
    return loses("throws away uncommitted changes");
  }
  if (is("stash") && (is("drop") || is("clear"))) return loses("throws away stashed changes");
  if (is("branch") && has("D")) return warns("deletes a branch with its unmerged commits");
  return undefined;
}

function isForced(refspec: string): boolean {
  return /^\+./.test(refspec);
}
