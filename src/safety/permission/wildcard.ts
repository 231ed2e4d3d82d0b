/**
 * The globs of permission rules: `*` is any run of characters, separators included, `?` is one character, and the whole
 * text must fit. Nothing else is special. A text may hold `UNKNOWN` where a shell computes something at run time.
 */

import { UNKNOWN } from "../shell/word.ts";

/** True when `text` fits, whatever an `UNKNOWN` in it turns out to be. */
export function fits(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let retry = 0;
  while (t < text.length) {
    const wanted = pattern[p];
    if (wanted === "*") {
      star = p++;
      retry = t;
    } else if (wanted === "?" && text[t] !== UNKNOWN) {
      p++;
      t += width(text, t);
    } else if (wanted !== undefined && wanted === text[t] && wanted !== "?") {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** True when some value of every `UNKNOWN` in `text` makes it fit. Linear in the text. */
export function couldFit(pattern: string, text: string): boolean {
  const end = pattern.length;
  // Which places in the pattern the text so far can have reached.
  let reached = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  reached[0] = 1;
  passStars(pattern, reached);
  for (let t = 0; t < text.length; t++) {
    next.fill(0);
    const char = text[t]!;
    let alive = false;
    for (let p = 0; p <= end; p++) {
      if (!reached[p]) continue;
      alive = true;
      if (char === UNKNOWN) {
        next.fill(1, p);
        break;
      }
      if (pattern[p] === "*") next[p] = 1;
      // `?` takes a whole character: at the first half of one it stays.
      else if (pattern[p] === "?") next[width(text, t) > 1 ? p : p + 1] = 1;
      else if (pattern[p] === char) next[p + 1] = 1;
    }
    if (!alive) return false;
    passStars(pattern, next);
    [reached, next] = [next, reached];
  }
  return reached[end] === 1;
}

/** True when `text` holds no metacharacter of a rule, so that it stands for itself. */
export function isPlain(text: string): boolean {
  return !/[*?]/.test(text);
}

function passStars(pattern: string, places: Uint8Array): void {
  for (let p = 0; p < pattern.length; p++) if (places[p] && pattern[p] === "*") places[p + 1] = 1;
}

function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
