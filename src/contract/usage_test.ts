import assert from "node:assert/strict";
import { addUsage, costOf, type Usage } from "./usage.ts";

const PRICE = { input: 0.435, output: 0.87, cacheHit: 0.003625, currency: "USD" };
const USAGE: Usage = { prompt: 36_100, completion: 1200, total: 37_300, requestAttempts: 1 };
const HIT = { cacheHit: 21_600, cacheMiss: 14_500 };
const rounded = (amount: number | undefined) => amount?.toFixed(7);

Deno.test("what came from the cache is paid at its own price, once", () => {
  assert.equal(rounded(costOf({ ...USAGE, ...HIT }, PRICE)?.amount), "0.0074298");
  assert.equal(rounded(costOf({ ...USAGE, cacheHit: HIT.cacheHit }, PRICE)?.amount), "0.0074298");
});

Deno.test("without counts of a cache all input is paid in full", () => {
  assert.equal(rounded(costOf(USAGE, PRICE)?.amount), ((36_100 * 0.435 + 1200 * 0.87) / 1e6).toFixed(7));
});

Deno.test("what is written to a cache is paid at its price, where it has one", () => {
  const written = { ...USAGE, ...HIT, cacheWrite: 10_000 };
  const plain = costOf({ ...USAGE, ...HIT }, PRICE)!.amount;
  assert.equal(costOf(written, PRICE)!.amount, plain);
  assert.equal(rounded(costOf(written, { ...PRICE, cacheWrite: 0.543_75 })?.amount), (plain + 0.001_087_5).toFixed(7));
});

Deno.test("an unknown price is no price of nothing", () => {
  assert.equal(costOf(USAGE, undefined), undefined);
});

Deno.test("a sum says nothing of caches where no part of it did", () => {
  const sum = addUsage(USAGE, USAGE);
  assert.deepEqual([sum.prompt, sum.cacheHit, sum.requestAttempts], [72_200, undefined, 2]);
  assert.equal(addUsage(USAGE, { ...USAGE, ...HIT }).cacheHit, HIT.cacheHit);
});
