import assert from "node:assert/strict";
import fc from "fast-check";
import { parseFact, toFactText } from "./fact_file.ts";

Deno.test("no file breaks the reading, and what is read and written again reads the same", async () => {
  const line = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "---",
      "...",
      "id: mem-1",
      "id: ../../x",
      "revision: -1",
      "revision: 9e99",
      "type: user",
      "- a",
      "  - b",
    ),
    fc.constantFrom(
      "title: [",
      'title: "',
      'keywords: [a, "b',
      "expires_at: tomorrow",
      "updated_at: 2026",
      "__proto__: x",
    ),
    fc.constantFrom(
      "description: |",
      "  text",
      "constructor: y",
      "description: 说明",
      "scope: global",
      "activation: pinned",
    ),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (lines, hasHead) => {
      const text = [...(hasHead ? ["---"] : []), ...lines].join("\n");
      const file = { scope: "project", name: "n", modifiedMs: 1_700_000_000_000 } as const;
      const fact = await parseFact({ ...file, text });
      if (fact === undefined) return;
      assert.match(fact.id, /^[A-Za-z0-9][A-Za-z0-9_-]+$/);
      assert.ok(Number.isSafeInteger(fact.revision) && fact.revision >= 1);
      assert.deepEqual(await parseFact({ ...file, text: toFactText(fact) }), fact);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a line that ends in several carriage returns reads the same once it was written again", async () => {
  const file = { scope: "project", name: "n", modifiedMs: 1_700_000_000_000 } as const;
  const fact = (await parseFact({ ...file, text: "a\r\r\nb" }))!;
  assert.equal(fact.body, "a\nb");
  assert.deepEqual(await parseFact({ ...file, text: toFactText(fact) }), fact);
});
