import assert from "node:assert/strict";
import { snippetOf } from "./snippet.ts";

Deno.test("a snippet is the whole of a short text, on one line", () => {
  assert.equal(snippetOf("a\n  b\u001b[0m", ["b"], 50), "a b\u241b[0m");
});

Deno.test("a snippet of a long text shows where the words stand, and where it was cut", () => {
  const text = `${"x ".repeat(100)}needle ${"y ".repeat(100)}`;
  const middle = snippetOf(text, ["needle"], 60);
  assert.deepEqual([middle.length, middle.includes("needle"), middle.startsWith("…"), middle.endsWith("…")], [
    60,
    true,
    true,
    true,
  ]);
  assert.match(snippetOf(`${"x ".repeat(100)}needle`, ["needle"], 60), /^….*needle$/);
  assert.match(snippetOf(text, ["absent"], 60), /^x x .*…$/);
});
