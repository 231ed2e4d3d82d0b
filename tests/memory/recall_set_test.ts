import assert from "node:assert/strict";
import { measureRecall } from "../../scripts/bench/recall.ts";

Deno.test("of a labelled set nine facts in ten are recalled for their question, few beside them, none for small talk", async () => {
  // proves MEM-11, MEM-13
  const { facts, questions, recallAt5, besides, smallTalk, unrelated } = await measureRecall();
  assert.deepEqual([facts, questions], [200, 100]);
  assert.ok(recallAt5 >= 0.9, `recall@5 is ${recallAt5}`);
  assert.ok(besides <= 1, `${besides} wrong facts a question`);
  assert.deepEqual([smallTalk, unrelated], [[], []]);
});
