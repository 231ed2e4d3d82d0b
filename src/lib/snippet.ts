/** The part of a text where the words of a query stand, as one line. */
import { toLine } from "./terminal_text.ts";

/** At most `length` characters. `terms` are those of `toTerms`: lower case. */
export function snippetOf(text: string, terms: readonly string[], length: number): string {
  // Of a text of megabytes only the start is looked at.
  const line = toLine(text.slice(0, 100_000), 100_000);
  const low = line.toLowerCase();
  // Lower case may change the length of odd characters; then the start will do.
  const places = low.length !== line.length ? [] : terms.map((term) => low.indexOf(term)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = line.length <= length ? 0 : Math.max(0, Math.min(first - Math.floor(length / 5), line.length - length));
  const part = line.slice(from > 0 ? from + 1 : 0, from + length);
  const isCut = from + length < line.length;
  return `${from > 0 ? "…" : ""}${isCut ? `${part.slice(0, -1)}…` : part}`.toWellFormed();
}
