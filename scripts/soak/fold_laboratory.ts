/**
 * Folds generated conversations 3, 10 and 30 times and holds each fold against the contract: a thousand of them, or as
 * many as the argument says. `deno run -A --no-check scripts/soak/fold_laboratory.ts [conversations] [seed]`.
 */
import { type Laboratory, runLaboratory } from "../../tests/support/fold_laboratory.ts";

const conversations = Number(Deno.args[0] ?? 1000);
const start = Number(Deno.args[1] ?? 1);
const totals = { folds: 0, kept: 0, dropped: 0, failures: 0, restarts: 0 };
let broken = 0;

for (let i = 0; i < conversations; i++) {
  const seed = start + i;
  const setting: Laboratory = {
    seed,
    window: 12_000 + (seed * 7919) % 60_000,
    ratio: [0.7, 0.8, 0.9][seed % 3]!,
    folds: [3, 3, 3, 3, 3, 3, 10, 10, 10, 30][i % 10]!,
    restart: seed % 4 === 0 ? 0.1 : 0,
    brokenModel: seed % 5 === 0 ? 0.1 : 0,
    brokenSummary: seed % 6 === 0 ? 0.2 : 0,
  };
  try {
    const found = await runLaboratory(setting);
    for (const key of Object.keys(totals) as (keyof typeof totals)[]) totals[key] += found[key];
  } catch (error) {
    broken++;
    console.log(`seed ${seed}: ${error instanceof Error ? error.message : error}`);
  }
  if ((i + 1) % 100 === 0) console.log(`${i + 1} conversations, ${totals.folds} folds, ${broken} broken`);
}

console.log(
  `${totals.folds} folds kept ${totals.kept} turns and ${totals.failures} failures word for word, ` +
    `folded ${totals.dropped} turns, over ${totals.restarts} restarts; ${broken} conversations broken`,
);
Deno.exitCode = broken === 0 ? 0 : 1;
