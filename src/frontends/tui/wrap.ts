/** A text as lines of the screen. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";

/** However narrow the screen is, lines have room for a word. */
export function wrap(text: string, width: number): string[] {
  return wrapTextWithAnsi(text, Math.max(10, width));
}
