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

/** True when some value of every `UNKNOWN` in `text` makes it fit. */
export function couldFit(pattern: string, text: string): boolean {
  const end = pattern.length;
  // The set of places in the pattern that the text so far can have reached.
  let reached = closure(new Set([0]), pattern);
  for (let t = 0; t < text.length && reached.size > 0; t++) {
    const next = new Set<number>();
    if (text[t] === UNKNOWN) {
      for (let p = Math.min(...reached); p <= end; p++) next.add(p);
    } else {
      for (const p of reached) {
        if (pattern[p] === "*") next.add(p);
        else if (pattern[p] === "?" || pattern[p] === text[t]) next.add(p + 1);
        // `?` takes a whole character, and this one goes on.
        if (pattern[p] === "?" && width(text, t) > 1) next.add(p);
      }
    }
    reached = closure(next, pattern);
  }
  return reached.has(end);
}

/** True when `text` holds no metacharacter of a rule, so that it stands for itself. */
export function isPlain(text: string): boolean {
  return !/[*?]/.test(text);
}

function closure(places: Set<number>, pattern: string): Set<number> {
  for (const p of places) if (pattern[p] === "*") places.add(p + 1);
  return places;
}

function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}
