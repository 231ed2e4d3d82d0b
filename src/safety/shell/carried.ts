/**
 * Text that a program would run: `sh -c`, `eval`, inline code, a program read from standard input. Says why the call is
 * nested and, where the text is shell and known, what to look through for denied commands.
 */
import type { ShellWord } from "./analysis.ts";
import { readOptions } from "./options.ts";
import { EVALUATORS, type Interpreter, interpreterNamed, POWERSHELLS, SHELL_OPTIONS, SHELLS } from "./runners.ts";
import { baseName, UNKNOWN } from "./word.ts";

export interface Carried {
  readonly reason: string;
  /** Shell lines that run; undefined where computed. */
  readonly lines?: readonly (string | undefined)[];
  /** Text in another shell's language. */
  readonly foreign?: string;
  /** What comes in by here-document or here-string is run as shell. */
  readonly readsShell?: boolean;
}

/** `words[0]` is a name that is fully known. Undefined: the call runs no text. */
export function carriedText(words: readonly ShellWord[]): Carried | undefined {
  const name = baseName(words[0]!.value).replace(/\.exe$/i, "");
  const lower = name.toLowerCase();
  if (SHELLS.has(name)) return ofShell(words);
  if (POWERSHELLS.has(lower) || lower === "cmd") return ofOtherShell(words);
  if (RUN_INPUT.has(name)) return { reason: `\`${name}\` runs what it reads`, readsShell: true };
  const evaluator = EVALUATORS.get(lower);
  if (evaluator !== undefined) return ofEvaluator(name, words.slice(1), evaluator);
  const interpreter = interpreterNamed(name);
  return interpreter ? ofInterpreter(name, words.slice(1), interpreter) : undefined;
}

const RUN_INPUT = new Set(["at", "batch"]);

function ofShell(words: readonly ShellWord[]): Carried | undefined {
  const read = readOptions(words, 1, SHELL_OPTIONS);
  const has = (name: string) => read.found.some((option) => option.name === name);
  if (read.unknown !== undefined) return { reason: "a shell with options nobody knows", lines: [undefined] };
  if (has("-c")) {
    const line = words[read.rest];
    return { reason: "a command line inside a string", lines: [line?.computed === "no" ? line.value : undefined] };
  }
  if (has("--version") || has("--help")) return undefined;
  const file = words[read.rest];
  if (file === undefined || has("-s") || isStandardInput(file.value)) {
    return { reason: "a shell that runs what it reads", readsShell: true };
  }
  return file.value === UNKNOWN ? { reason: "a script that is only known when it runs" } : undefined;
}

function ofOtherShell(words: readonly ShellWord[]): Carried {
  const text = words.slice(1).filter(({ value }) => !/^[-/][A-Za-z]+$/.test(value)).map(({ value }) => value).join(" ");
  return { reason: "a command line for another shell", foreign: text };
}

function ofEvaluator(
  name: string,
  args: readonly ShellWord[],
  evaluator: "always" | readonly string[],
): Carried | undefined {
  if (evaluator !== "always" && !args.some(({ value }) => evaluator.some((option) => value.startsWith(option)))) {
    return undefined;
  }
  const reason = `\`${name}\` runs text or changes what words mean`;
  const rest = args[0]?.value === "--" ? args.slice(1) : args;
  const text = (from: readonly ShellWord[]) =>
    from.every(({ computed }) => computed === "no") ? from.map(({ value }) => value).join(" ") : undefined;
  switch (name) {
    case "eval":
      return { reason, lines: [text(rest)] };
    case "trap":
      return { reason, lines: [text(rest.slice(0, 1))] };
    case "alias":
      return { reason, lines: rest.map((word) => text([word])?.replace(/^[^=]*=/, "")) };
    default:
      return { reason };
  }
}

function ofInterpreter(name: string, args: readonly ShellWord[], interpreter: Interpreter): Carried | undefined {
  const reason = `\`${name}\` runs code from its arguments`;
  if (/^g?make$/.test(name) && args.some(({ value }) => /^(-f|--(make)?file=)?(-|\/dev\/stdin)$/.test(value))) {
    return reads(name);
  }
  if (interpreter.verbs?.includes(args[0]?.value ?? "")) return { reason };
  for (let i = 0; i < args.length; i++) {
    const { value, computed } = args[i]!;
    if (/^(-h|--help|-v|-V|--version)$/.test(value) && args.length === 1) return undefined;
    if (value === UNKNOWN && !interpreter.anywhere) return { reason: "a program that is only known when it runs" };
    if (!value.startsWith("-") || value === "-") {
      if (interpreter.anywhere) continue;
      return isStandardInput(value) && interpreter.readsInput ? reads(name) : undefined;
    }
    if (interpreter.inline.some((option) => isOption(value, option))) return { reason };
    if (interpreter.module?.includes(value)) return undefined;
    if (computed === "no" && interpreter.valued?.includes(value)) i++;
  }
  return interpreter.readsInput ? reads(name) : undefined;
}

function reads(name: string): Carried {
  return { reason: `\`${name}\` runs what it reads` };
}

function isOption(word: string, option: string): boolean {
  if (option.startsWith("--")) return word === option || word.startsWith(`${option}=`);
  if (option.length === 2) return new RegExp(`^-[A-Za-z0-9]*${option[1]}`).test(word) && !word.startsWith("--");
  return word === option;
}

function isStandardInput(file: string): boolean {
  return file === "-" || file === "/dev/stdin" || file === "/dev/fd/0" || file === "/proc/self/fd/0";
}
