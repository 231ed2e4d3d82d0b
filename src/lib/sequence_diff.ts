/**
 * What changed between two sequences, by Myers' greedy algorithm. Equal ends are cut off first, so that a small change
 * in a large file costs little.
 */
export interface Change {
  /** Elements `[start, end)` of the first sequence are replaced by … */
  readonly start: number;
  readonly end: number;
  /** … elements `[newStart, newEnd)` of the second. */
  readonly newStart: number;
  readonly newEnd: number;
}

/** So many single insertions and deletions are looked for; beyond, what lies between the equal ends is one change. */
const MAX_EDITS = 1000;

/** Changes in order, never touching each other. */
export function diffSequences<T>(a: ArrayLike<T>, b: ArrayLike<T>, maxEdits = MAX_EDITS): Change[] {
  let start = 0;
  const shorter = Math.min(a.length, b.length);
  while (start < shorter && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < shorter - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const end = a.length - tail;
  const newEnd = b.length - tail;
  if (start === end && start === newEnd) return [];
  if (start === end || start === newEnd) return [{ start, end, newStart: start, newEnd }];
  const steps = shortestEdits(a, b, { start, end, newEnd }, maxEdits);
  return steps === undefined ? [{ start, end, newStart: start, newEnd }] : steps;
}

interface Window {
  readonly start: number;
  readonly end: number;
  readonly newEnd: number;
}

function shortestEdits<T>(a: ArrayLike<T>, b: ArrayLike<T>, window: Window, maxEdits: number): Change[] | undefined {
  const { start } = window;
  const n = window.end - start;
  const m = window.newEnd - start;
  const limit = Math.min(n + m, maxEdits);
  const offset = limit + 1;
  let reach = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits++) {
    // Only the diagonals this round can read are kept for the way back.
    trace.push(reach.slice(offset - edits - 1, offset + edits + 2));
    const next = reach.slice();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits ||
        (diagonal !== edits && reach[offset + diagonal - 1]! < reach[offset + diagonal + 1]!);
      let x = down ? reach[offset + diagonal + 1]! : reach[offset + diagonal - 1]! + 1;
      let y = x - diagonal;
      while (x < n && y < m && a[start + x] === b[start + y]) {
        x++;
        y++;
      }
      next[offset + diagonal] = x;
      if (x >= n && y >= m) return walkBack(trace, { n, m, start, edits });
    }
    reach = next;
  }
  return undefined;
}

interface End {
  readonly n: number;
  readonly m: number;
  readonly start: number;
  readonly edits: number;
}

function walkBack(trace: readonly Int32Array[], end: End): Change[] {
  const changes: Change[] = [];
  let x = end.n;
  let y = end.m;
  for (let edits = end.edits; edits > 0; edits--) {
    const reach = trace[edits]!;
    const at = (diagonal: number): number => reach[diagonal + edits + 1]!;
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const fromX = down ? at(diagonal + 1) : at(diagonal - 1);
    const fromY = fromX - (down ? diagonal + 1 : diagonal - 1);
    const step: Change = {
      start: end.start + fromX,
      end: end.start + fromX + (down ? 0 : 1),
      newStart: end.start + fromY,
      newEnd: end.start + fromY + (down ? 1 : 0),
    };
    const later = changes.at(-1);
    if (later !== undefined && later.start === step.end && later.newStart === step.newEnd) {
      changes[changes.length - 1] = { ...later, start: step.start, newStart: step.newStart };
    } else changes.push(step);
    x = fromX;
    y = fromY;
  }
  return changes.reverse();
}
