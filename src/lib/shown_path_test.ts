import assert from "node:assert/strict";
import fc from "fast-check";
import { fromShownPath, showPath } from "./shown_path.ts";

Deno.test("a usual path is shown as it is, also with blanks and backslashes", () => {
  for (const path of ["/w/a b.txt", "/w/ü中.ts", "C:\\x", "a\\n"]) assert.equal(showPath(path), path);
});

Deno.test("what would break a line or hide in it is escaped", () => {
  assert.equal(showPath("/w/a\u200b\u{e0041}"), "/w/a\\u200b\\udb40\\udc41");
  assert.equal(showPath("/w/a\nb\t\\\x1b[31m\u202e.txt"), "/w/a\\nb\\t\\\\\\u001b[31m\\u202e.txt");
});

Deno.test("every shown path leads back to the path", () => {
  const part = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\n", "\\", "\\n", "\t", "\u2028", "\\u000a", "a", "\u200b", "\u{e0041}", "\udb40"),
  );
  fc.assert(fc.property(fc.array(part), (parts) => {
    const path = parts.join("");
    const shown = showPath(path);
    assert.doesNotMatch(shown, /[\n\r\u2028]/);
    assert.equal(shown === path ? path : fromShownPath(shown), path);
  }));
});

Deno.test("a text that was never shown so is not read", () => {
  assert.equal(fromShownPath("/w/plain"), undefined);
  assert.equal(fromShownPath("/w/a\\q"), undefined);
  assert.equal(fromShownPath("/w/a\\u0041"), undefined);
});
