import assert from "node:assert/strict";
import fc from "fast-check";
import { byteLength, headWithin, sha256, tailWithin, toBytes } from "./bytes.ts";

const anyText = fc.string({ unit: "binary", maxLength: 40 });

Deno.test("byteLength() agrees with the encoder on any text", () => {
  fc.assert(fc.property(anyText, (text) => byteLength(text) === toBytes(text).length));
  assert.equal(byteLength("a\ud800b"), 5);
});

Deno.test("headWithin() and tailWithin() stay within the limit and never split a character", () => {
  fc.assert(fc.property(anyText, fc.nat(60), (text, limit) => {
    const head = headWithin(text, limit);
    const tail = tailWithin(text, limit);
    assert.ok(text.startsWith(head) && text.endsWith(tail));
    assert.ok(byteLength(head) <= limit && byteLength(tail) <= limit);
    assert.ok(head.isWellFormed() === text.slice(0, head.length).isWellFormed());
    const next = text.codePointAt(head.length);
    if (next !== undefined) assert.ok(byteLength(head + String.fromCodePoint(next)) > limit);
  }));
});

Deno.test("sha256() gives the known digest of abc", async () => {
  assert.equal(await sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
