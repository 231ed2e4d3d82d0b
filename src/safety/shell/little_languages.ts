/** Whether a script for `sed` or `awk` runs other programs: a look at the text, not a parse; in doubt it does. */
import type { ShellWord } from "./analysis.ts";
import { options, readOptions } from "./options.ts";

/** `s/…/…/e` and the command `e` hand text to a shell. */
export function sedRuns(script: string): boolean {
  if (/(?:^|[;{}\n])[\s\d,$!]*e(?:\s|$)/.test(script)) return true;
  for (const match of script.matchAll(/(?:^|[^A-Za-z\\])s([^\w\s\\;])/g)) {
    const delimiter = match[1]!;
    let left = 2;
    for (let at = match.index + match[0].length; at < script.length; at++) {
      if (script[at] === "\\") at++;
      else if (script[at] === delimiter && --left === 0) {
        if (/^[gpiImM\d]*e/.test(script.slice(at + 1, at + 12))) return true;
        break;
      }
    }
  }
  return false;
}

const AWK_OPTIONS = options(`
  bcCghIkMnNOPrsStV F: v: f: i: l: e: E: --field-separator= --assign= --file= --include= --load= --source= --exec=
  --posix --re-interval --sandbox --version --help
`);

/** `system()`, pipes to and from commands, and code that is loaded from elsewhere. */
export function awkRuns(args: readonly ShellWord[]): boolean {
  const { rest, unknown, found } = readOptions(args, 0, AWK_OPTIONS);
  const loads = found.some(({ name }) => /^(-i|-l|--include|--load)$/.test(name));
  const sources = found.filter(({ name }) => /^(-e|--source)$/.test(name)).map(({ text = "" }) => text);
  const fromFile = found.some(({ name }) => /^(-f|-E|--file|--exec)$/.test(name));
  if (sources.length === 0 && !fromFile) sources.push(args[rest]?.value ?? "");
  return loads || (unknown !== undefined ? args.map(({ value }) => value) : sources).some(awkTextRuns);
}

function awkTextRuns(program: string): boolean {
  const code = program.replace(/"(?:\\.|[^"\\])*"/gs, '""').replace(/(^|[\s(,~!{&|;])\/(?:\\.|[^/\\\n])+\//g, "$1");
  return /\bsystem\s*\(|(?<!\|)\|(?!\|)|@(load|include)\b/.test(code);
}
