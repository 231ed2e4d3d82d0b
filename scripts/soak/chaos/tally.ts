/** What was done and what was found, for the table at the end. */

export interface Violation {
  readonly episode: number;
  readonly step: string;
  readonly check: string;
  readonly text: string;
}

class Counts {
  readonly #counts = new Map<string, number>();

  add(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  lines(title: string): string[] {
    const rows = [...this.#counts].sort(([a], [b]) => a.localeCompare(b));
    return [`${title}: ${this.total}`, ...columns(rows.map(([name, count]) => `${name} ${count}`))];
  }
}

/** Four to a line. */
function columns(cells: readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < cells.length; at += 4) {
    lines.push(`  ${cells.slice(at, at + 4).map((cell) => cell.padEnd(28)).join("").trimEnd()}`);
  }
  return lines;
}

export class Tally {
  readonly steps = new Counts();
  readonly faults = new Counts();
  readonly checks = new Counts();
  /** What this machine does not allow, by name. */
  readonly skipped = new Counts();
  readonly violations: Violation[] = [];
  episodes = 0;

  table(seconds: number): string[] {
    return [
      ...this.steps.lines("steps"),
      ...this.faults.lines("faults"),
      ...this.checks.lines("checks"),
      ...(this.skipped.total > 0 ? this.skipped.lines("skipped") : []),
      ...this.violations.map(({ step, check, text }) =>
        `violation in ${step}, ${check}: ${text.split("\n", 1)[0]!.slice(0, 200)}`
      ),
      `${this.episodes} episodes in ${
        Math.round(seconds)
      } s: ${this.steps.total} steps, ${this.faults.total} faults, ` +
      `${this.checks.total} checks, ${this.violations.length} violations`,
    ];
  }
}
