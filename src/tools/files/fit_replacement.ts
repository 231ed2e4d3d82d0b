/**
 * The text that takes the place of a match. Where `new_string` repeats `old_string`, the file's own characters stay:
 * its line ends, trailing blanks, quotes and dashes. Only what the model changed is written as the model wrote it,
 * added lines with the line end of their surroundings.
 */
import { diffSequences } from "../../lib/sequence_diff.ts";
import type { MatchKind } from "./find_match.ts";

export type Fitted =
  | { readonly kind: "fits"; readonly text: string }
  /** A character the model mistook for another, and adds again: in which spelling, only the model can say. */
  | { readonly kind: "ambiguous"; readonly inFile: string; readonly inOld: string };

export interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export function fitReplacement(place: Place, matchKind: MatchKind, old: string, replacement: string): Fitted {
  const inFile = place.text.slice(place.start, place.end);
  const written = matchKind !== "exact" && old.includes("\r\n") ? replacement.replaceAll("\r\n", "\n") : replacement;
  // A carriage return in an exact match was meant, so those in the replacement are too.
  if (old.includes("\r") && matchKind === "exact") return { kind: "fits", text: replacement };
  // No line is added but a line end after the file's last one: nothing follows that it would have to fit.
  if (inFile === old && written === `${old}\n` && place.end === place.text.length) {
    return { kind: "fits", text: written };
  }
  if (inFile === old) return { kind: "fits", text: withLineEnds(written, localLineEnd(place, place.end)) };
  const wanted = old.replaceAll("\r\n", "\n");
  const ends = lineEndsOf(inFile);
  if (ends !== "mixed" && inFile.replaceAll("\r\n", "\n") === wanted) {
    return { kind: "fits", text: withLineEnds(written, ends ?? localLineEnd(place, place.end)) };
  }
  return merge(place, wanted, written);
}

function merge(place: Place, old: string, replacement: string): Fitted {
  const oldTokens = tokens(old);
  const newTokens = tokens(replacement);
  const pieces = alignedPieces(place.text.slice(place.start, place.end), oldTokens);
  let text = "";
  let at = 0;
  let inserted = "";
  for (const change of diffSequences(oldTokens, newTokens)) {
    text += pieces.slice(at, change.start).join("");
    at = change.end;
    const added = newTokens.slice(change.newStart, change.newEnd).join("");
    inserted += added;
    text += added.includes("\n") ? withLineEnds(added, lineEndNear(pieces, at, place)) : added;
  }
  text += pieces.slice(at).join("");
  // Where the model mistook a character, what it adds of the same spelling is mistaken as well.
  const mistaken = oldTokens.findIndex((token, i) =>
    pieces[i] !== token && token.trim() !== "" && inserted.includes(token)
  );
  if (mistaken < 0) return { kind: "fits", text };
  return { kind: "ambiguous", inFile: pieces[mistaken]!, inOld: oldTokens[mistaken]! };
}

/** Words, line ends with the blanks before them, and single characters. */
function tokens(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|[ \t]*\n|[ \t]+$|./gsu) ?? [];
}

/** What stands in the file for each token of `old_string`. Both agree but for what folding forgives. */
function alignedPieces(inFile: string, oldTokens: readonly string[]): string[] {
  const pieces: string[] = [];
  let at = 0;
  for (const [i, token] of oldTokens.entries()) {
    if (token.endsWith("\n")) {
      const end = inFile.indexOf("\n", at) + 1;
      pieces.push(inFile.slice(at, end));
      at = end;
    } else if (i === oldTokens.length - 1) {
      pieces.push(inFile.slice(at));
      at = inFile.length;
    } else {
      pieces.push(inFile.slice(at, at + token.length));
      at += token.length;
    }
  }
  return pieces;
}

/** The next line end that stays, else the one before, else that of the line the match ends in. */
function lineEndNear(pieces: readonly string[], at: number, place: Place): string {
  for (let i = at; i < pieces.length; i++) if (pieces[i]!.endsWith("\n")) return endOf(pieces[i]!);
  for (let i = Math.min(at, pieces.length) - 1; i >= 0; i--) if (pieces[i]!.endsWith("\n")) return endOf(pieces[i]!);
  return localLineEnd(place, place.end);
}

/** Line end of the line that holds `position`, else of the line before. */
function localLineEnd(place: Place, position: number): string {
  const { text } = place;
  // A match that ends with its line end belongs to that line.
  const from = position > place.start && text[position - 1] === "\n" ? position - 1 : position;
  let newline = text.indexOf("\n", from);
  if (newline < 0) newline = text.lastIndexOf("\n", from - 1);
  return newline > 0 && text[newline - 1] === "\r" ? "\r\n" : "\n";
}

function lineEndsOf(text: string): "\n" | "\r\n" | "mixed" | undefined {
  let crlf = 0;
  let lf = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) {
    if (text[at - 1] === "\r") crlf++;
    else lf++;
  }
  if (crlf === 0 && lf === 0) return undefined;
  return crlf === 0 ? "\n" : lf === 0 ? "\r\n" : "mixed";
}

function endOf(piece: string): string {
  return piece.endsWith("\r\n") ? "\r\n" : "\n";
}

/** Line ends the model wrote as CRLF itself stay. */
function withLineEnds(text: string, lineEnd: string): string {
  return lineEnd === "\n" ? text : text.replace(/\r?\n/g, "\r\n");
}
