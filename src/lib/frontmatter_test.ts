import assert from "node:assert/strict";
import fc from "fast-check";
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

Deno.test("what makes a head no head is told, and nobody has to care", () => {
  const problemOf = (text: string) => parseDocument(text).problem;
  assert.equal(problemOf("---\nname: x\nno end"), 'its head is not closed: a line of "---" is missing');
  assert.equal(problemOf("---\nname: x\n\nnot a pair\n---\nbody"), 'line 4 of its head is not "key: value"');
  assert.equal(problemOf("---\n- a list\n---\nbody"), 'line 2 of its head is not "key: value"');
  for (
    const text of [
      "no head",
      "---\n---\n",
      "---\n# a remark\nname:x\nmetadata:\n  author: me\n  tags:\n    - a\n---\n",
      "---\ndescription: >-\n  one\n\n  two\nname: x\n---\n",
      "---",
    ]
  ) assert.equal(problemOf(text), undefined, text);
});
