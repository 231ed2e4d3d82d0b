/**
 * Which Markdown is drawn as such. The parser takes time with the square of a paragraph's length, and for each list or
 * quote in another a level of its stack and a copy of all that is in it; what somebody has made to cost that is shown as
 * it stands.
 */

/** Characters of one paragraph, item or row. */
const LONGEST = 16_000;
/** Quotes and lists begun within each other on one line. */
const NESTED = /^(?:[ \t]{0,8}(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){32}/;
/** One that begins so far to the right lies in dozens of others. */
const DEEP = /^(?:[ \t]{0,8}>)*(?:[ \t]{100,}|\t{25,})(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])/;
/** Begins a text of its own. */
const BEGINS = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|\|)/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

export function isDrawable(text: string): boolean {
  let fence: string | undefined;
  let length = 0;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    fence = mark;
    if (NESTED.test(line) || DEEP.test(line)) return false;
    length = line.trim() === "" || mark !== undefined ? 0 : BEGINS.test(line) ? line.length : length + line.length;
    if (length > LONGEST) return false;
  }
  return true;
}
