import assert from "node:assert/strict";
import { createRedactor } from "./redact.ts";

const redact = createRedactor(["sk-mine-123456", "proxy pass"]);

Deno.test("known secrets and everything that looks like a key are taken out", () => {
  const text =
    "key sk-mine-123456, also sk-proj-AbCdEfGhIjKlMnOp1234 and Bearer abc.def-ghi_jkl; proxy pass; http://u:pw@host/";
  const clean = redact(text);
  assert.doesNotMatch(clean, /mine|AbCdEf|abc\.def|proxy pass|pw@/);
  assert.match(clean, /^key \[redacted\], also \[redacted\] and Bearer \[redacted\]; \[redacted\]; http:\/\/host\/$/);
});

Deno.test("what is left is one line without terminal escapes and of bounded length", () => {
  assert.equal(redact("a\r\n\x1b[31mb\x1b[0m\x07\u202ec\u2028d"), "a b c d");
  assert.equal(redact("x".repeat(1000)).length, 400);
});

Deno.test("an empty key takes nothing out", () => {
  assert.equal(createRedactor(["", "ab"])("about abc"), "about abc");
});
