/** One program call: wrappers off, the program judged, text that it would run handed back to be walked. */
import type { ShellWord, SimpleCommand } from "./analysis.ts";
import { carriedText } from "./carried.ts";
import type { Findings } from "./findings.ts";
import { judge } from "./judge.ts";
import { unwrap, wordsOf } from "./unwrap.ts";
import { noteFolder, noteWrites } from "./may_write.ts";

export interface CallText {
  /** Shell lines the call would run. */
  readonly lines: readonly string[];
  /** It runs what comes in by here-document or here-string as shell. */
  readonly readsShell: boolean;
  /** Text among the arguments that may be a line for a shell, and where the calls in it are to be noted. */
  readonly perhaps: { readonly texts: readonly string[]; readonly calls: SimpleCommand[] };
}

/** Adds the call, and those its options carry, to the findings. */
export function readCall(
  call: { readonly text: string; readonly words: readonly ShellWord[]; readonly carried: boolean },
  findings: Findings,
): CallText {
  const { text, words, carried } = call;
  const unwrapped = unwrap(words);
  const { layers } = unwrapped;
  const suspects = [...unwrapped.suspects];
  const last = layers.at(-1)!;
  const lines: string[] = [];
  let readsShell = false;
  let readOnly = false;
  let known = false;

  const run = (from: readonly (string | undefined)[]) => {
    for (const line of from) {
      if (line === undefined) findings.complete = false;
      else lines.push(line);
    }
  };

  // Behind options nobody knows, every beginning is tried.
  for (const suspect of unwrapped.suspects) run(carriedIn(suspect));
  if (unwrapped.assigns) findings.computes("an assignment");
  if (unwrapped.lines.length > 0) {
    findings.nested.add("a command line inside a string");
    run(unwrapped.lines);
  }
  if (unwrapped.opensShell !== undefined) findings.nested.add(`\`${unwrapped.opensShell}\` opens a shell`);

  const program = last.words[0]!;
  if (unwrapped.computed || program.computed !== "no" || program.value === "") {
    findings.nested.add("a command name that is only known when it runs");
  } else if (unwrapped.asks) {
    known = true;
    readOnly = last.harmless && last.words.every((word) => word.computed !== "yes");
  } else {
    const code = carriedText(last.words);
    if (code) {
      findings.nested.add(code.reason);
      run(code.lines ?? []);
      readsShell = code.readsShell === true;
      for (const part of code.foreign?.split(/[;&|\n(){}]+/) ?? []) {
        if (part.trim() !== "") suspects.push(wordsOf(part));
      }
    }
    const verdict = judge(last.words);
    if (verdict.runs !== undefined) findings.nested.add(verdict.runs);
    if (verdict.inner?.length) {
      const inner = { text: verdict.inner.map((word) => word.text).join(" "), words: verdict.inner, carried: true };
      lines.push(...readCall(inner, findings).lines);
    }
    if (verdict.besides !== undefined) findings.computes(verdict.besides);
    if (verdict.readOnly && verdict.gitFolder !== undefined) findings.gitFolders.add(verdict.gitFolder);
    if (layers.length === 1 && words.length === 1 && /^(command|builtin)$/.test(program.value)) {
      findings.nested.add(`\`${program.value}\` alone`);
    }
    known = (verdict.known && verdict.runs === undefined) || code !== undefined;
    readOnly = verdict.readOnly && code === undefined && last.harmless && lines.length === 0;
  }
  if (hidesText(words)) {
    findings.computes("control characters");
    readOnly = false;
  }
  if (!readOnly) noteWrites(last.words, findings);
  noteFolder(last.words, findings);
  const calls: SimpleCommand[] = [];
  findings.commands.push({ text, layers, suspects, perhaps: calls, carried, readOnly, known });
  return { lines, readsShell, perhaps: { texts: known ? [] : textsIn(last.words), calls } };
}

/** Lines for a shell in a call that is only suspected. */
function carriedIn(words: readonly ShellWord[]): readonly (string | undefined)[] {
  return words[0]?.computed === "no" && words[0].value !== "" ? carriedText(words)?.lines ?? [] : [];
}

/** How many arguments are looked at. */
const MOST_ARGUMENTS = 12;

/** `ssh host 'rm -rf x'`, `docker run i sh -c 'rm -rf x'`, `tool --run='rm -rf x'`. */
function textsIn(words: readonly ShellWord[]): readonly string[] {
  const texts: string[] = [];
  for (let i = 1; i < Math.min(words.length, MOST_ARGUMENTS); i++) {
    const { value, computed } = words[i]!;
    if (computed !== "no") continue;
    const text = value.replace(/^[-\w.]+=/, "").replace(/^!/, "");
    if (/\s/.test(text) || text !== value) texts.push(text);
    texts.push(...carriedIn(words.slice(i)).filter((line) => line !== undefined));
  }
  return texts;
}

/** Characters that a terminal obeys instead of showing. */
function hidesText(words: readonly ShellWord[]): boolean {
  return words.some(({ value, computed }) =>
    computed === "no" && /[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]/.test(value)
  );
}
