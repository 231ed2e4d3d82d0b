/** Text from models, tools and files is hostile to a terminal: it can clear the screen or fill the clipboard. */
import { clip } from "./clip.ts";

/**
 * Terminal control bytes as visible symbols (U+2400 and on), so that neither model nor screen ever receives them
 * raw. Tab, line feed and carriage return stay.
 */
export function showControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, toSymbol);
}

/**
 * As `showControls`, for what is written to a terminal: a lone carriage return would overwrite its line, and direction
 * marks would show a command in another order than it runs in.
 */
export function toTerminal(text: string): string {
  return showDirections(showControls(text)).replace(/\r(?!\n)/g, "\u240d").replaceAll("\r\n", "\n");
}

/** One line for people, cut to `limit` characters. */
export function toLine(text: string, limit = 200): string {
  const line = showDirections(showControls(text)).replace(/\s+/g, " ").trim();
  return clip(line, limit);
}

/** Marks and overrides of writing direction as their code points; line separators as line ends. */
function showDirections(text: string): string {
  return text
    .replace(
      /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      (mark) => `\u27e8U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u27e9`,
    )
    .replace(/[\u2028\u2029]/g, "\n");
}

function toSymbol(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}

/**
 * A value as one line of JSON that may be shown by a terminal: `JSON.stringify` leaves second-half controls, line
 * separators and direction marks as they are; here they are escapes for the same characters.
 */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
