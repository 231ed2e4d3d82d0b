/** What folds keep and lose, over generated conversations; `scripts/soak/fold_laboratory.ts` runs a thousand of them. */
import fc from "fast-check";
import { type Laboratory, runLaboratory } from "../support/fold_laboratory.ts";

const settings = (folds: number): fc.Arbitrary<Laboratory> =>
  fc.record({
    seed: fc.nat(2 ** 31),
    window: fc.integer({ min: 12_000, max: 40_000 }),
    ratio: fc.constantFrom(0.7, 0.8, 0.9),
    folds: fc.constant(folds),
    restart: fc.constantFrom(0, 0.1),
    brokenModel: fc.constantFrom(0, 0.1),
    brokenSummary: fc.constantFrom(0, 0.2),
  });

for (const [folds, runs] of [[3, 16], [10, 5], [30, 2]] as const) {
  Deno.test(`over ${folds} folds exactly what is promised stays word for word, whatever the summariser forgets`, async () => {
    // proves CTX-33 CTX-37 CTX-38 CTX-39 CTX-40 CTX-42 CTX-44 CTX-45 CTX-46 CTX-50
    await fc.assert(fc.asyncProperty(settings(folds), async (setting) => void await runLaboratory(setting)), {
      numRuns: runs,
      seed: 20260131,
    });
  });
}
