import assert from "node:assert/strict";
import fc from "fast-check";
import { type Change, diffSequences } from "./sequence_diff.ts";

function apply<T>(a: readonly T[], b: readonly T[], changes: readonly Change[]): T[] {
  const out: T[] = [];
  let at = 0;
  for (const change of changes) {
    out.push(...a.slice(at, change.start), ...b.slice(change.newStart, change.newEnd));
    at = change.end;
  }
  return [...out, ...a.slice(at)];
}

/** Length of the longest common subsequence, the slow and certain way. */
function commonLength(a: readonly number[], b: readonly number[]): number {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const x of a) {
    let diagonal = 0;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!;
      row[j] = x === b[j - 1] ? diagonal + 1 : Math.max(above, row[j - 1]!);
      diagonal = above;
    }
  }
  return row[b.length]!;
}

const sequence = fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 40 });

Deno.test("the changes turn the first sequence into the second, and no shorter list does", () => {
  fc.assert(fc.property(sequence, sequence, (a, b) => {
    const changes = diffSequences(a, b);
    assert.deepEqual(apply(a, b, changes), b);
    const kept = a.length - changes.reduce((sum, change) => sum + change.end - change.start, 0);
    assert.equal(kept, commonLength(a, b));
  }));
});

Deno.test("beyond the bound everything between the equal ends is one change", () => {
  const a = [1, 2, 3, 4, 5, 6, 9];
  const b = [1, 6, 5, 4, 3, 2, 9];
  assert.deepEqual(diffSequences(a, b, 2), [{ start: 1, end: 6, newStart: 1, newEnd: 6 }]);
});

Deno.test("changes never touch each other", () => {
  fc.assert(fc.property(sequence, sequence, (a, b) => {
    const changes = diffSequences(a, b);
    for (let i = 1; i < changes.length; i++) {
      const gap = changes[i]!.start - changes[i - 1]!.end;
      assert.ok(gap > 0);
      assert.equal(changes[i]!.newStart - changes[i - 1]!.newEnd, gap);
    }
  }));
});
