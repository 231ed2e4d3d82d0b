import assert from "node:assert/strict";
import fc from "fast-check";
import { highlight, type TokenKind } from "./highlight.ts";

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
  assert.deepEqual(highlight("a\nb", "klingon", mark), ["a", "b"]);
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
