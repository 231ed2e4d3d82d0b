/** Anything but an exact match is told, in the first line of the reply. */
import type { MatchKind } from "./find_match.ts";

export function howMatched(kinds: readonly MatchKind[]): string {
  if (kinds.includes("tolerant")) {
    return " (fuzzy match): old_string differed from the file in trailing blanks, no-break spaces, quotes or dashes; " +
      "the file's own characters were kept where new_string repeats old_string";
  }
  return kinds.includes("line_ends") ? " (matched across line ends; the file's own were kept)" : "";
}
