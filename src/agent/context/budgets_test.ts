import assert from "node:assert/strict";
import { acceptanceLimit, budgetsFor, CONTEXT_DEFAULTS, type ContextSettings, share } from "./budgets.ts";

const K = 1024;
const budgets = (window: number, more: Partial<ContextSettings> = {}) =>
  budgetsFor(window, { ...CONTEXT_DEFAULTS, ...more });

Deno.test("the trigger is the floor of window times ratio, as people reckon it", () => {
  // proves CTX-05 CTX-03
  const triggers = [[200_000, 0.9], [200_000, 0.7], [128_000, 0.8], [100, 0.29], [1001, 0.9], [65_537, 0.7]] as const;
  assert.deepEqual(triggers.map(([window, ratio]) => budgets(window, { ratio }).trigger), [
    180_000,
    140_000,
    102_400,
    29,
    900,
    45_875,
  ]);
  assert.equal(budgets(200_000).trigger, 180_000);
  assert.deepEqual([0.1, 0.57, 0.07].map((part) => share(100, part)), [10, 57, 7]);
});

Deno.test("a soft limit folds earlier than the ratio, never later, and takes the tail with it", () => {
  const at = (softLimitTokens: number) => {
    const { trigger, tail, hardCeiling } = budgets(200_000, { softLimitTokens });
    return [trigger, tail, hardCeiling];
  };
  assert.deepEqual(at(0), [180_000, 32 * K, 199_744]);
  assert.deepEqual(at(40_000), [40_000, 20_000, 199_744]);
  assert.deepEqual(at(190_000), [180_000, 32 * K, 199_744]);
});

Deno.test("the tail is a tenth of the window, held between 32 K and 96 K, and small windows have no floor", () => {
  // proves CTX-11
  const tails = [
    [1_000_000, 96 * K],
    [983_050, 96 * K],
    [983_030, 98_303],
    [400_000, 40_000],
    [327_690, 32_769],
    [327_670, 32 * K],
    [128_000, 32 * K],
    [65_536, 29_491],
    [65_535, 6_553],
    [8_000, 800],
  ] as const;
  assert.deepEqual(tails.map(([window]) => [window, budgets(window).tail]), tails);
});

Deno.test("kept turns share the smaller of 8192 and a twentieth of the window, marked ones three twentieths", () => {
  // proves CTX-41 CTX-45
  const at = (window: number) => {
    const { userTurn, userTurns, marked } = budgets(window);
    return [userTurn, userTurns, marked];
  };
  assert.deepEqual(at(163_860), [1500, 8192, 24_579]);
  assert.deepEqual(at(163_820), [1500, 8191, 24_573]);
  assert.deepEqual(at(20_000), [1500, 1000, 3000]);
  assert.equal(budgets(20_000, { userTurnTokens: 3000 }).userTurns, 3000);
});

Deno.test("the first turn is pinned up to 1500 tokens or 15 percent of a small window", () => {
  assert.deepEqual([10_000, 10_001, 9_999, 4_000].map((window) => budgets(window).firstTurn), [1500, 1500, 1499, 600]);
});

Deno.test("a fold must land within half the window, below its source and below the trigger", () => {
  // proves CTX-09
  const b = budgets(100_000);
  assert.equal(acceptanceLimit(b, { fixed: 1000, source: 90_000 }), 50_000);
  assert.equal(acceptanceLimit(b, { fixed: 1000, source: 50_001 }), 50_000);
  assert.equal(acceptanceLimit(b, { fixed: 1000, source: 50_000 }), 49_999);
  const low = budgets(100_000, { ratio: 0.4 });
  assert.equal(acceptanceLimit(low, { fixed: 1000, source: 90_000 }), 39_999);
  assert.equal(budgets(100_000, { ceilingRatio: 0.3 }).acceptance, 30_000);
  assert.equal(budgets(100_000, { ceilingRatio: 0.8 }).acceptance, 50_000, "the ceiling may only be lowered");
});

Deno.test("where the fixed part alone fills half the window, a fold must free a quarter of it", () => {
  // proves CTX-09
  const b = budgets(100_000);
  assert.equal(acceptanceLimit(b, { fixed: 50_000, source: 90_000 }), 50_000);
  assert.equal(acceptanceLimit(b, { fixed: 50_001, source: 90_000 }), 65_000);
  assert.equal(acceptanceLimit(b, { fixed: 50_001, source: 120_000 }), 89_999, "and still land below the trigger");
});

Deno.test("nothing but the window and the context settings moves a threshold", () => {
  // proves CTX-20
  assert.deepEqual(Object.keys(CONTEXT_DEFAULTS).sort(), [
    "ceilingRatio",
    "firstTurnTokens",
    "keepErrors",
    "keepMarked",
    "ratio",
    "recentKeep",
    "softLimitTokens",
    "userTurnTokens",
  ]);
  assert.equal(budgets(50_000).hardCeiling, 50_000 - 256);
  assert.equal(budgets(50_000, { recentKeep: 0 }).recentKeep, 2);
});
