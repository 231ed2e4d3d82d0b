import assert from "node:assert/strict";
import { digestText, foldDigest } from "./digest64.ts";

const digest = (text: string) => foldDigest(0n, text);

Deno.test("texts that differ in little have digests that differ", () => {
  const long = "a line of some text\n".repeat(50);
  const texts = new Set(["", "\0", "\0\0", "\0\0\0\0", "a", "a\0", "aa", "é", "e", "世", long]);
  for (let at = 0; at < long.length; at++) {
    for (const other of ["x", "\0", "é", ""]) texts.add(long.slice(0, at) + other + long.slice(at + 1));
    texts.add(long.slice(at) + long.slice(0, at));
  }
  assert.equal(new Set([...texts].map(digest)).size, texts.size);
  // The upper bits alone, in two places at once.
  const high = (at: number) => String.fromCharCode(...Array.from({ length: 64 }, (_, i) => i === at ? 0x7f : 0x3f));
  assert.equal(new Set(Array.from({ length: 64 }, (_, at) => digest(high(at)))).size, 64);
});

Deno.test("where a text is divided makes a difference, as does what came before", () => {
  const folded = (...texts: string[]) => texts.reduce(foldDigest, 0n);
  const all = [folded("ab"), folded("a", "b"), folded("", "ab"), folded("b", "a"), folded("ab", ""), folded("x", "ab")];
  assert.equal(new Set(all).size, all.length);
});

Deno.test("both halves of a digest move with every byte", () => {
  for (let at = 0; at < 40; at++) {
    const text = "-".repeat(40);
    const difference = digest(text) ^ digest(text.slice(0, at) + "." + text.slice(at + 1));
    assert.ok((difference & 0xffffffffn) !== 0n && (difference >> 32n) !== 0n, `byte ${at}`);
  }
});

Deno.test("a digest is written as sixteen digits", () => {
  assert.equal(digestText(0x1fn), "000000000000001f");
  assert.match(digestText(digest("a")), /^[0-9a-f]{16}$/);
});
