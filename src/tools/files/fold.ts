/**
 * A copy of a text that is only for finding things, with the way back to the original. Two degrees: `line_ends` lets
 * LF stand for CRLF; `tolerant` also forgives trailing blanks, no-break spaces and typographic quotes and dashes.
 * Every character keeps its column, so what was found is spliced into the original, never into the copy.
 */
export type FoldDegree = "line_ends" | "tolerant";

export interface FoldedText {
  readonly text: string;
  /** Offset in the original of a position of `text`. */
  toOriginal(position: number): number;
}

const SINGLE_QUOTES = /[\u2018-\u201b\u2032]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033]/g;
const DASHES = /[\u2010-\u2015\u2212]/g;
const SPACES = /[\u00a0\u202f]/g;
const FOLDABLE = /[\u00a0\u2010-\u2015\u2018-\u201f\u202f\u2032\u2033\u2212]/;

export function foldText(text: string, degree: FoldDegree): FoldedText {
  const lines = text.split("\n");
  const originalStarts: number[] = [];
  const foldedStarts: number[] = [];
  let original = 0;
  let folded = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const short = foldLine(line, degree, i < lines.length - 1);
    originalStarts.push(original);
    foldedStarts.push(folded);
    original += line.length + 1;
    folded += short.length + 1;
    lines[i] = short;
  }
  return {
    text: lines.join("\n"),
    toOriginal: (position) => {
      const line = lastAtMost(foldedStarts, position);
      return originalStarts[line]! + position - foldedStarts[line]!;
    },
  };
}

/** One character as the tolerant degree sees it. */
export function foldCharacters(text: string): string {
  if (!FOLDABLE.test(text)) return text;
  return text.replace(SPACES, " ").replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(DASHES, "-");
}

function foldLine(line: string, degree: FoldDegree, ended: boolean): string {
  const text = ended && line.endsWith("\r") ? line.slice(0, -1) : line;
  return degree === "tolerant" ? trimBlanks(foldCharacters(text)) : text;
}

/** Not a regular expression: those are slow on long runs of blanks inside a line. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end--;
  return text.slice(0, end);
}

/** Index of the last element that is not above `value`; the first is never above it. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sorted[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
