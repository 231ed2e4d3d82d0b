import assert from "node:assert/strict";
import fc from "fast-check";
import { parseFact, toFactText } from "./fact_file.ts";
import { parseDocument, toDocumentText } from "./frontmatter.ts";

Deno.test("heads are read as people and other tools write them", () => {
  const { head, body } = parseDocument(`\ufeff---\r
title: 'It''s here'\r
Description: "a \\"b\\": c"\r
keywords:
  - one
  - "two, three"
list: [a, 'b, c', "d"]
empty:
colon: a: b # c
long: first
  second
block: |
  line 1
  line 2
---\r
\r
Body\r
--- not the end`);
  assert.deepEqual(Object.fromEntries(head), {
    title: "It's here",
    description: 'a "b": c',
    keywords: ["one", "two, three"],
    list: ["a", "b, c", "d"],
    empty: "",
    colon: "a: b # c",
    long: "first second",
    block: "line 1\nline 2",
  });
  assert.equal(body, "Body\n--- not the end");
});

Deno.test("a text without a head, or whose head never ends, is all body", () => {
  for (const text of ["", "hello", "---\ntitle: x\nno end", "--- \n", "----\na: b\n----\n"]) {
    assert.deepEqual([parseDocument(text).head.size, parseDocument(text).body], [0, text]);
  }
});

Deno.test("any value that is written is read back the same", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 }).filter((value) =>
    !/\r\n?/.test(value) && value.isWellFormed()
  );
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 4 }), text, (value, list, body) => {
      const written = toDocumentText([["a", value], ["b", list]], ["kept: [1", "  more"], body);
      const read = parseDocument(written);
      assert.equal(read.head.get("a"), value);
      assert.deepEqual(read.head.get("b"), list.filter((item) => item !== ""));
      assert.deepEqual(read.lines.get("kept"), ["kept: [1", "  more"]);
      assert.equal(read.body.trim(), body.trim());
    }),
    { numRuns: 500 },
  );
});

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
