/** Commands that deserve a second look, and what is lost by them: a warning in the prompt, and no prefix is offered. */
import type { ShellWord, SimpleCommand } from "./analysis.ts";
import { baseName } from "./word.ts";

export function dangerOf(commands: readonly SimpleCommand[]): string | undefined {
  for (const call of commands) {
    for (const layer of call.layers) {
      const danger = dangerOfWords(layer.words);
      if (danger !== undefined) return danger;
    }
  }
  return undefined;
}

function dangerOfWords(words: readonly ShellWord[]): string | undefined {
  const name = baseName(words[0]?.value ?? "");
  const args = words.slice(1).map(({ value }) => value);
  const ended = args.indexOf("--");
  const options = (ended < 0 ? args : args.slice(0, ended)).filter((word) => word.startsWith("-"));
  const has = (letter: string, ...long: string[]) =>
    options.some((word) => long.includes(word.split("=", 1)[0]!) || new RegExp(`^-[A-Za-z]*${letter}`).test(word));
  switch (name) {
    case "rm":
      if (has("[rR]", "--recursive")) return "deletes folders with everything in them";
      return has("f", "--force") ? "deletes without asking" : undefined;
    case "sudo":
    case "doas":
    case "su":
    case "pkexec":
      return "runs as another user";
    case "chmod":
      return args.some((word) =>
          /^(0?[0-7]?[0-7][0-7][2367]|[augo]*[ao][augo]*\+[rxst]*w\w*|\+[rxst]*w\w*)$/.test(word)
        )
        ? "lets every user of the machine write"
        : undefined;
    case "git":
      return gitDanger(args, has);
    case "find":
      return args.includes("-delete") ? "deletes every file found" : undefined;
    case "dd":
      return args.some((word) => word.startsWith("of=")) ? "overwrites a file or a disk" : undefined;
    case "shred":
    case "wipefs":
      return "destroys data beyond recovery";
    case "truncate":
      return "cuts off what a file holds";
    default:
      return name.startsWith("mkfs") ? "formats a disk" : undefined;
  }
}

function gitDanger(args: readonly string[], has: (letter: string, ...long: string[]) => boolean): string | undefined {
  const verbs = args.filter((word) => !word.startsWith("-"));
  const is = (verb: string) => verbs.includes(verb);
  if (is("push")) {
    if (has("f", "--force", "--force-with-lease", "--mirror") || verbs.some((word) => word.startsWith("+"))) {
      return "overwrites the history of the remote";
    }
    if (has("d", "--delete") || verbs.some((word) => word.startsWith(":"))) return "deletes a branch of the remote";
  }
  if (is("reset") && args.includes("--hard")) return "throws away uncommitted changes";
  if (is("clean") && has("f", "--force")) return "deletes untracked files";
  if (is("checkout") && (args.includes("--") || args.includes(".") || has("f", "--force"))) {
    return "throws away uncommitted changes";
  }
  if (is("restore") && !args.includes("--staged")) return "throws away uncommitted changes";
  if (is("stash") && (is("drop") || is("clear"))) return "throws away stashed changes";
  if (is("branch") && has("D")) return "deletes a branch with its unmerged commits";
  return undefined;
}
