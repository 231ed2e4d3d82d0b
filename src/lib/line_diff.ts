/** Unified diffs of texts, without the file headers. Cheap enough to make for every edit. */
import { type Change, diffSequences } from "./sequence_diff.ts";

export interface LineDiff {
  /** Hunks as `diff -u` prints them; empty for equal texts. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
}

const CONTEXT = 3;

export function diffLines(before: string, after: string): LineDiff {
  const a = splitLines(before);
  const b = splitLines(after);
  const changes = diffSequences(a, b);
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    removed += change.end - change.start;
    added += change.newEnd - change.newStart;
  }
  return { diff: groups(changes).map((group) => hunk(a, b, group)).join(""), added, removed };
}

/** Lines with their ends, so that a change of line ends or of the final newline is a change. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop()!;
  for (let i = 0; i < lines.length; i++) lines[i] += "\n";
  if (last !== "") lines.push(last);
  return lines;
}

/** Changes whose context meets are shown in one hunk. */
function groups(changes: readonly Change[]): Change[][] {
  const out: Change[][] = [];
  for (const change of changes) {
    const group = out.at(-1);
    if (group !== undefined && change.start - group.at(-1)!.end <= 2 * CONTEXT) group.push(change);
    else out.push([change]);
  }
  return out;
}

function hunk(a: readonly string[], b: readonly string[], group: readonly Change[]): string {
  const first = group[0]!;
  const last = group.at(-1)!;
  const lead = Math.min(CONTEXT, first.start);
  const start = first.start - lead;
  const end = Math.min(a.length, last.end + CONTEXT);
  const newStart = first.newStart - lead;
  const newEnd = last.newEnd + (end - last.end);
  let text = `@@ -${range(start, end)} +${range(newStart, newEnd)} @@\n`;
  let at = start;
  for (const change of group) {
    for (; at < change.start; at++) text += line(" ", a[at]!);
    for (; at < change.end; at++) text += line("-", a[at]!);
    for (let i = change.newStart; i < change.newEnd; i++) text += line("+", b[i]!);
  }
  for (; at < end; at++) text += line(" ", a[at]!);
  return text;
}

function range(start: number, end: number): string {
  const count = end - start;
  const first = count === 0 ? start : start + 1;
  return count === 1 ? `${first}` : `${first},${count}`;
}

function line(sign: string, text: string): string {
  return text.endsWith("\n") ? sign + text : `${sign}${text}\n\\ No newline at end of file\n`;
}
