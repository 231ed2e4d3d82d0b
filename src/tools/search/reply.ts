/** What the search tools say beside their findings, and how they spell file names. */
import { showPath } from "../../lib/shown_path.ts";

/** Unreadable folders named in one reply; the rest is counted. */
const NAMED = 10;

/** Lines for what a search left out. Empty when it left out nothing. */
export function leftOutLines(kind: string, all: readonly string[]): string[] {
  const paths = [...new Set(all)];
  if (paths.length === 0) return [];
  const named = paths.slice(0, NAMED).map(showPath).join(", ");
  const more = paths.length > NAMED ? ` and ${paths.length - NAMED} more` : "";
  return [`(${kind}: ${named}${more})`];
}

/** Such names exist on Linux; only a shell can reach what they name. */
export function unnameableLines(paths: readonly string[]): string[] {
  return leftOutLines("names that are not UTF-8, to be reached with bash alone", paths);
}

export interface Limit {
  /** True once the time is over or the call was stopped. */
  over(): boolean;
  /** Milliseconds left, 0 when over. */
  left(): number;
  readonly seconds: number;
  /** Of the call. */
  readonly signal: AbortSignal;
}

export function timeLimit(seconds: number, signal: AbortSignal): Limit {
  const end = performance.now() + seconds * 1000;
  return {
    seconds,
    signal,
    over: () => signal.aborted || performance.now() >= end,
    left: () => signal.aborted ? 0 : Math.max(0, end - performance.now()),
  };
}
