/**
 * Paths as they are spelt in lines of text. A path without control characters is shown as it is; any other has its control
 * characters and backslashes escaped, and `fromShownPath` gives the path back.
 */
import { UNSEEN, UNSEEN_TAGS } from "./unseen.ts";

/** Also what reorders or hides text on a terminal. */
const ODD_CHARACTERS = `\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029${UNSEEN}`;
const ODD = new RegExp(`[${ODD_CHARACTERS}]|${UNSEEN_TAGS}`);
const ESCAPED = new RegExp(`[\\\\${ODD_CHARACTERS}]|${UNSEEN_TAGS}`, "g");
const LETTERS: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

export function showPath(path: string): string {
  if (!ODD.test(path)) return path;
  return path.replace(ESCAPED, (odd) => LETTERS[odd] ?? odd.replace(/[^]/g, toEscape));
}

function toEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The path that `showPath` spelt so. Undefined when `shown` holds no escape, so that it can only be meant as it stands. */
export function fromShownPath(shown: string): string | undefined {
  if (!shown.includes("\\")) return undefined;
  const path = shown.replace(/\\(?:u([0-9a-f]{4})|([nrt\\]))/g, (_, hex: string | undefined, letter: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return letter === "n" ? "\n" : letter === "r" ? "\r" : letter === "t" ? "\t" : "\\";
  });
  return path !== shown && showPath(path) === shown ? path : undefined;
}
