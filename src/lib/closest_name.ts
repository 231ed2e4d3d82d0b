/** "Did you mean …": the known name closest to a misspelt one, by edits of one character and swaps of neighbours. */

/** Undefined when nothing is within a third of the name's length. Case and separators do not count as differences. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name);
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const other = plain(candidate);
    if (Math.abs(other.length - wanted.length) >= least) continue;
    const edits = distance(wanted, other);
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

function plain(name: string): string {
  return name.slice(0, 100).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2]! + 1);
      row.push(edits);
    }
    [before, above] = [above, row];
  }
  return above[b.length]!;
}
