import assert from "node:assert/strict";
import { costOf } from "../contract/usage.ts";
import { createUsageMeter, toUsage } from "./usage.ts";

const DEEPSEEK = { prompt_cache_hit_tokens: 21600, prompt_cache_miss_tokens: 14500 };
const OPENAI = { prompt_tokens_details: { cached_tokens: 21600 } };
const BASE = { prompt_tokens: 36100, completion_tokens: 1200, total_tokens: 37300 };
const PRICE = { input: 0.435, output: 0.87, cacheHit: 0.003625, currency: "USD" };

for (
  const [form, raw] of [
    ["DeepSeek's form", { ...BASE, ...DEEPSEEK }],
    ["OpenAI's nested form", { ...BASE, ...OPENAI }],
    ["both forms at once", { ...BASE, ...DEEPSEEK, ...OPENAI }],
  ] as const
) {
  Deno.test(`cache hits in ${form} are counted once`, () => {
    const usage = toUsage(raw);
    assert.deepEqual(usage, { prompt: 36100, completion: 1200, total: 37300, cacheHit: 21600, cacheMiss: 14500 });
    assert.equal(costOf({ ...usage!, requestAttempts: 1 }, PRICE)!.amount.toFixed(7), "0.0074298");
  });
}

Deno.test("usage without cache counts claims none", () => {
  assert.deepEqual(toUsage(BASE), { prompt: 36100, completion: 1200, total: 37300 });
});

Deno.test("Anthropic's keys in a chat answer count cached tokens as part of the prompt", () => {
  const raw = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
  assert.deepEqual(toUsage(raw), {
    prompt: 130,
    completion: 5,
    total: 135,
    cacheHit: 100,
    cacheMiss: 30,
    cacheWrite: 20,
  });
});

Deno.test("a total alone is a prompt, and nonsense is nothing", () => {
  assert.deepEqual(toUsage({ total_tokens: 7 }), { prompt: 7, completion: 0, total: 7 });
  for (
    const raw of [null, undefined, 3, {}, { prompt_tokens: "many" }, { prompt_tokens: -1 }, {
      prompt_tokens: 1e308,
      completion_tokens: 5,
    }]
  ) {
    assert.equal(toUsage(raw), undefined);
  }
});

Deno.test("a hit larger than the prompt cannot make the miss negative", () => {
  const usage = toUsage({ prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 25 });
  assert.deepEqual([usage?.cacheHit, usage?.cacheMiss], [10, 0]);
});

Deno.test("the sum counts every request that went out, also those that cost nothing", () => {
  const meter = createUsageMeter();
  for (let i = 0; i < 3; i++) meter.sent();
  assert.equal(meter.sum(), undefined);
  meter.add(toUsage(BASE), { promptBytes: 0, outputChars: 0 });
  meter.add(undefined, { promptBytes: 400, outputChars: 40 });
  const sum = meter.sum()!;
  assert.deepEqual([sum.prompt, sum.completion, sum.requestAttempts, sum.estimated], [36200, 1210, 3, true]);
});

Deno.test("cost follows the tokens an answer has, whatever ceiling it was allowed", () => {
  // proves CTX-21
  const usage = { prompt: 1000, completion: 20, total: 1020, requestAttempts: 1 };
  assert.equal(costOf(usage, { input: 1, output: 10, currency: "USD" })!.amount, (1000 + 200) / 1e6);
  assert.equal(costOf({ ...usage, completion: 40 }, { input: 1, output: 10, currency: "USD" })!.amount, 1400 / 1e6);
});
