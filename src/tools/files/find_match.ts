/**
 * Where `old_string` stands in a file: as it is; with LF for CRLF; or, when that finds nothing, with every line equal
 * but for trailing blanks, no-break spaces and typographic quotes and dashes. Never by similarity.
 */
import { type FoldDegree, type FoldedText, foldText, trimBlanks } from "./fold.ts";

export type MatchKind = "exact" | FoldDegree;

export interface Match {
  /** Offsets in the original text. */
  readonly start: number;
  readonly end: number;
}

export interface Matches {
  readonly kind: MatchKind;
  /** `old_string` as it was searched for. */
  readonly wanted: string;
  /** In order; they may overlap. */
  readonly found: readonly Match[];
}

export function findMatches(text: string, old: string): Matches {
  // Without a carriage return of its own, a line end in `old_string` stands for whatever ends the line in the file.
  if (old.includes("\n") && !old.includes("\r") && text.includes("\r\n")) {
    const folded = findFolded(foldText(text, "line_ends"), old, "line_ends");
    if (folded.found.length > 0) return sayExact(folded, text);
  } else {
    const found = occurrences(text, old).map((start) => ({ start, end: start + old.length }));
    if (found.length > 0) return { kind: "exact", wanted: old, found };
  }
  if (old.includes("\r\n")) {
    const folded = findFolded(foldText(text, "line_ends"), foldText(old, "line_ends").text, "line_ends");
    if (folded.found.length > 0) return folded;
  }
  return findTolerant(text, old);
}

function findTolerant(text: string, old: string): Matches {
  const wanted = foldText(old, "tolerant").text;
  // Nothing but blanks would match everywhere.
  if (wanted.trim() === "") return { kind: "tolerant", wanted, found: [] };
  const folded = foldText(text, "tolerant");
  const matches = findFolded(folded, wanted, "tolerant");
  const lastLine = old.slice(old.lastIndexOf("\n") + 1);
  if (trimBlanks(lastLine) === lastLine) return matches;
  // Trailing blanks were forgiven at the end of `old_string`: then a line must end there.
  const ends = new Set(
    occurrences(folded.text, wanted).map((at) => at + wanted.length)
      .filter((end) => end === folded.text.length || folded.text[end] === "\n")
      .map((end) => folded.toOriginal(end)),
  );
  return { ...matches, found: matches.found.filter((match) => ends.has(match.end)) };
}

function findFolded(folded: FoldedText, wanted: string, kind: FoldDegree): Matches {
  const found = occurrences(folded.text, wanted).map((at) => ({
    start: folded.toOriginal(at),
    end: wanted.endsWith("\n")
      // The whole line end goes with it, blanks and carriage return included.
      ? folded.toOriginal(at + wanted.length)
      : folded.toOriginal(at + wanted.length - 1) + 1,
  }));
  return { kind, wanted, found };
}

/** A match whose bytes are `old_string` after all is an exact one. */
function sayExact(matches: Matches, text: string): Matches {
  const exact = matches.found.every((match) => text.slice(match.start, match.end) === matches.wanted);
  return exact ? { ...matches, kind: "exact" } : matches;
}

/** Overlapping ones count: `aa` stands twice in `aaa`, so it is not unique there. */
function occurrences(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) found.push(at);
  return found;
}
