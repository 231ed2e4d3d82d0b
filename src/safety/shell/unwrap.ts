/** Takes wrappers off a call, one after the other, by their own option grammars. */
import type { Layer, ShellWord } from "./analysis.ts";
import { type ReadOptions, readOptions } from "./options.ts";
import { baseName, plainWord, UNKNOWN } from "./word.ts";
import { type Wrapper, WRAPPERS } from "./wrappers.ts";

/** More wrappers than this in a row are no ordinary work. */
const MOST = 16;

export interface Unwrapped {
  readonly layers: readonly Layer[];
  /** Readings behind options that the grammar of a wrapper does not know. */
  readonly suspects: readonly (readonly ShellWord[])[];
  /** Text that a wrapper hands to a shell; undefined where it is computed. */
  readonly lines: readonly (string | undefined)[];
  /** `NAME=value` words stood in front of the program. */
  readonly assigns: boolean;
  /** A wrapper that only tells about its arguments, as `command -v` does. */
  readonly asks: boolean;
  /** A wrapper that opens a shell when no program is named. */
  readonly opensShell?: string;
  /** A computed word stands where the program or an option may be. */
  readonly computed: boolean;
}

export function unwrap(words: readonly ShellWord[]): Unwrapped {
  const layers: Layer[] = [{ words, skipped: 0, harmless: true }];
  const suspects: (readonly ShellWord[])[] = [];
  const lines: (string | undefined)[] = [];
  let assigns = false;
  let asks = false;
  let opensShell: string | undefined;
  let computed = false;
  while (layers.length <= MOST) {
    const outer = layers.at(-1)!;
    const first = outer.words[0];
    const wrapper = first?.computed === "no" ? WRAPPERS.get(baseName(first.value)) : undefined;
    if (!first || !wrapper) break;
    const taken = take(outer.words, wrapper);
    lines.push(...taken.lines);
    assigns ||= taken.assigns;
    asks ||= taken.asks && outer.harmless;
    computed ||= taken.computed;
    if (taken.opensShell) opensShell = first.value;
    if (taken.unknown) {
      for (let i = 1; i < outer.words.length && i <= MOST; i++) suspects.push(outer.words.slice(i));
    }
    if (taken.at === undefined) break;
    layers.push({
      words: taken.inner ?? outer.words.slice(taken.at),
      skipped: outer.skipped + taken.at,
      // A path may name another program than the one in the table.
      harmless: outer.harmless && taken.harmless && HARMLESS_NAMES.has(first.text),
    });
  }
  return { layers, suspects, lines, assigns, asks, computed, ...(opensShell === undefined ? {} : { opensShell }) };
}

const HARMLESS_NAMES: ReadonlySet<string> = new Set(
  [...WRAPPERS].filter(([, wrapper]) => wrapper.harmless).map(([name]) => name),
);

interface Taken {
  /** The inner call, where it is not the rest of the words as they stand. */
  readonly inner?: readonly ShellWord[];
  /** Where the inner call begins. Undefined: there is none, or it cannot be found. */
  readonly at?: number;
  readonly unknown: boolean;
  readonly lines: readonly (string | undefined)[];
  readonly assigns: boolean;
  readonly asks: boolean;
  readonly harmless: boolean;
  readonly opensShell: boolean;
  readonly computed: boolean;
}

const NOTHING: Taken = {
  unknown: false,
  lines: [],
  assigns: false,
  asks: false,
  harmless: false,
  opensShell: false,
  computed: false,
};

function take(words: readonly ShellWord[], wrapper: Wrapper): Taken {
  let at = 1;
  if (wrapper.verbs) {
    at = readOptions(words, at, wrapper.options).rest;
    const verb = wrapper.verbs.find((verbs) => verbs.every((name, i) => words[at + i]?.value === name));
    if (!verb) return NOTHING;
    at += verb.length;
  }
  const read = readOptions(words, at, wrapper.options);
  at = read.rest + (wrapper.before ?? 0);
  // `su root -c …`, `flock f -c …`: these take their line behind the word in front of the program.
  const more = wrapper.lineOptions && wrapper.before ? readOptions(words, at, wrapper.options) : undefined;
  const found = [...read.found, ...(more?.found ?? [])];
  at = more?.rest ?? at;
  const has = (names: readonly string[] | undefined) => found.some((option) => names?.includes(option.name));
  const lines = found.filter((option) => wrapper.lineOptions?.includes(option.name)).map(({ text, value }) =>
    value === undefined || value.computed === "no" ? text : undefined
  );
  if (read.unknown !== undefined) {
    return { ...NOTHING, lines, unknown: true, computed: words[read.rest]!.computed !== "no" };
  }
  if (has(wrapper.asksWith)) return { ...NOTHING, lines, asks: true };
  let assigns = false;
  while (wrapper.assigns && at < words.length && /^[A-Za-z_][^=]*=/.test(words[at]!.value)) {
    assigns = true;
    at++;
  }
  if (at >= words.length) {
    // `parallel` alone runs the lines that it reads.
    if (wrapper.line && baseName(words[0]!.value) === "parallel") lines.push(undefined);
    return { ...NOTHING, lines, assigns, opensShell: has(wrapper.shellWith) };
  }
  const rest = words.slice(at);
  if (wrapper.line) lines.push(rest.every(({ computed }) => computed === "no") ? textOf(rest) : undefined);
  const inner = wrapper.fillsIn && filledIn(rest, read.found, wrapper.fillsIn);
  return {
    ...NOTHING,
    at,
    ...(inner ? { inner } : {}),
    lines,
    assigns,
    harmless: wrapper.harmless === true && !has(wrapper.harmfulWith),
  };
}

/**
 * A call with what comes from standard input: where the mark stands, or at its end. A word with blanks is a line for
 * some shell, in which more is to be seen with the mark than without.
 */
function filledIn(
  words: readonly ShellWord[],
  found: ReadOptions["found"],
  options: readonly string[],
): readonly ShellWord[] {
  const option = found.findLast(({ name }) => options.includes(name));
  if (option === undefined) return [...words, { text: "", value: UNKNOWN, computed: "yes", splits: true }];
  const mark = option.text || "{}";
  return words.map((word) =>
    word.value.includes(mark) && !/\s/.test(word.value)
      ? { ...word, value: word.value.replaceAll(mark, UNKNOWN), computed: "yes" }
      : word
  );
}

/** `watch 'a; b'` and `watch a b` both hand their words to a shell, joined. */
function textOf(words: readonly ShellWord[]): string {
  return words.map(({ value }) => value).join(" ");
}

/** For callers that have text only. */
export function wordsOf(text: string): readonly ShellWord[] {
  return text.trim().split(/\s+/).filter((word) => word !== "").map(plainWord);
}
