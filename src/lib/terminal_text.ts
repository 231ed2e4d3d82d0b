/** Text from models, tools and files is hostile to a terminal: it can clear the screen or fill the clipboard. */
import { clip } from "./clip.ts";
import { UNSEEN, UNSEEN_TAGS } from "./unseen.ts";

/**
 * Terminal control bytes as visible symbols (U+2400 and on), so that neither model nor screen ever receives them
 * raw. Tab, line feed and carriage return stay.
 */
export function showControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, toSymbol);
}

/**
 * As `showControls`, for what is written to a terminal: a lone carriage return would overwrite its line, direction marks
 * would show a command in another order than it runs in, and other marks are not seen at all.
 */
export function toTerminal(text: string): string {
  return showUnseen(showControls(text)).replace(/\r(?!\n)/g, "\u240d").replaceAll("\r\n", "\n");
}

/** One line for people, cut to `limit` characters. */
export function toLine(text: string, limit = 200): string {
  const line = showUnseen(showControls(text)).replace(/\s+/g, " ").trim();
  return clip(line, limit);
}

/** What would not be seen as its code points; line separators as line ends. */
function showUnseen(text: string): string {
  return text
    .replace(
      UNSEEN_PATTERN,
      (mark) => `\u27e8U+${mark.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}\u27e9`,
    )
    .replace(/[\u2028\u2029]/g, "\n");
}

const UNSEEN_PATTERN = new RegExp(`[${UNSEEN}]|${UNSEEN_TAGS}`, "g");

function toSymbol(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/**
 * A value as one line of JSON that may be shown by a terminal: `JSON.stringify` leaves second-half controls, line
 * separators and what is not seen as they are; here they are escapes for the same characters.
 */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE_IN_JSON, (text) => {
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}

const UNSAFE_IN_JSON = new RegExp(`[\\u007f-\\u009f\\u2028\\u2029${UNSEEN}]|${UNSEEN_TAGS}`, "g");
