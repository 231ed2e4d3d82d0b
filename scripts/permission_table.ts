/**
 * Prints how many of some thousand ordinary commands would be asked about in the postures `ask` and `auto`, the commonest
 * reasons, and what the analysis of one command costs. `deno run -A scripts/permission_table.ts`; needs the recorded data.
 */
import { createPolicy } from "../src/safety/permission/policy.ts";
import type { CommandAnalysis } from "../src/safety/shell/analysis.ts";
import { loadAnalyze } from "../src/safety/shell/load.ts";
import { sharedRows } from "../tests/support/shared.ts";

const analyze = await loadAnalyze();
const policy = createPolicy({ rules: [] });

const SETS = ["nl2bash", "tldr"];
const POSTURES = [["ask", undefined], ["auto", "allow"]] as const;
const REASONS = 5;

function reasonOf({ shape, reasons }: CommandAnalysis): string {
  if (shape === "static") return "plain, but not known to only read";
  // Phrases name the program; what counts here is the kind.
  return (reasons[0] ?? "").replace(/^`[^`]*`|`.*`/s, "a program");
}

function percent(part: number, whole: number): string {
  return `${(100 * part / whole).toFixed(1)} %`;
}

for (const set of SETS) {
  const commands = sharedRows<{ command: string }>(`fixtures/shell/${set}.jsonl`).map(({ command }) => command);
  if (commands.length === 0) {
    console.log(`${set}: no data (see REASONIX_SHARED)`);
    continue;
  }
  for (const command of commands.slice(0, 500)) analyze(command);
  const times: number[] = [];
  const analyses = commands.map((command) => {
    const start = performance.now();
    const analysis = analyze(command);
    times.push(performance.now() - start);
    return analysis;
  });
  times.sort((a, b) => a - b);
  const at = (share: number) => `${(1_000 * times[Math.floor(share * (times.length - 1))]!).toFixed(0)} µs`;
  console.log(`${set}: ${commands.length} commands; analysis of one: median ${at(0.5)}, 99 % within ${at(0.99)}`);
  for (const [posture, fallback] of POSTURES) {
    const counts = new Map<string, number>();
    let asked = 0;
    analyses.forEach((shell, i) => {
      const request = { callId: "c", tool: "bash", readOnly: false, args: { command: commands[i]! } };
      const { verdict } = policy.decide(request, { shell, ...(fallback ? { fallback } : {}) });
      if (verdict === "allow") return;
      asked++;
      const reason = shell.discards && shell.shape !== "nested" ? "loss of work" : reasonOf(shell);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    });
    console.log(`  ${posture}: ${asked} asked about (${percent(asked, commands.length)})`);
    const common = [...counts].sort(([, a], [, b]) => b - a).slice(0, REASONS);
    for (const [reason, count] of common) console.log(`    ${String(count).padStart(5)}  ${reason}`);
  }
}
