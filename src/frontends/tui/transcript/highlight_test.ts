import assert from "node:assert/strict";
import fc from "fast-check";
import { highlight, isWholeDiff, paintDiff, type TokenKind } from "./highlight.ts";

const mark = Object.fromEntries(
  (["comment", "string", "number", "keyword", "name", "plain"] as const).map((
    kind,
  ) => [kind, (text: string) => text === "" ? "" : `<${kind[0]}:${text}>`]),
) as Record<TokenKind, (text: string) => string>;

Deno.test("comments, strings, numbers and keywords are told apart, and styles end with their line", () => {
  assert.deepEqual(highlight("const a = 'x'; /* one\ntwo */ 0x1F", "ts", mark), [
    "<k:const> <n:a> = <s:'x'>; <c:/* one>",
    "<c:two */> <n:0x1F>",
  ]);
  assert.deepEqual(highlight("SELECT 1 -- all", "sql", mark), ["<k:SELECT> <n:1> <c:-- all>"]);
});

Deno.test("an unknown language stays as it is", () => {
  for (const language of ["klingon", "constructor", "__proto__"]) {
    assert.deepEqual(highlight("a\nb", language, mark), ["a", "b"]);
  }
});

Deno.test("no text gains or loses a character", () => {
  const none = Object.fromEntries(Object.keys(mark).map((kind) => [kind, (text: string) => text])) as typeof mark;
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.constantFrom("ts", "py", "sh", "sql", "rs", "toml"),
      (code, language) => {
        assert.equal(highlight(code, language, none).join("\n"), code);
      },
    ),
  );
});

Deno.test("lines of a diff are told apart, and its heads are neither added nor removed", () => {
  const paint = { added: (t: string) => `+${t}`, removed: (t: string) => `-${t}`, dim: (t: string) => `.${t}` };
  const lines = ["--- a/x", "+++ b/x", "@@ -1 +1 @@", "-old", "+new", " same"];
  assert.deepEqual(paintDiff(lines.join("\n"), paint), [
    ".--- a/x",
    ".+++ b/x",
    ".@@ -1 +1 @@",
    "--old",
    "++new",
    " same",
  ]);
});

Deno.test("output is a diff only when it is nothing else", () => {
  const diff = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n";
  assert.equal(isWholeDiff(diff), true);
  assert.equal(isWholeDiff(diff.slice(diff.indexOf("---"))), true);
  assert.equal(isWholeDiff(`On branch main\n${diff}`), false);
  assert.equal(isWholeDiff("--- a list\n- one\n"), false);
  assert.equal(isWholeDiff(""), false);
});
