/** The diff of an edit for people: cut where nobody would read on, so that rewriting a large file costs no more. */
import { diffLines, type LineDiff } from "../../lib/line_diff.ts";

const LONGEST_DIFF = 100_000;

export function shownDiff(before: string, after: string): LineDiff {
  const whole = diffLines(before, after);
  if (whole.diff.length <= LONGEST_DIFF) return whole;
  const end = whole.diff.lastIndexOf("\n", LONGEST_DIFF) + 1;
  return { ...whole, diff: `${whole.diff.slice(0, end)}\\ The diff goes on.\n` };
}
