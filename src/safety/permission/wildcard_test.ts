import assert from "node:assert/strict";
import fc from "fast-check";
import { UNKNOWN } from "../shell/word.ts";
import { couldFit, fits } from "./wildcard.ts";

const pattern = fc.string({ unit: fc.constantFrom("a", "b", "/", " ", "*", "?", "[", "é"), maxLength: 8 });
const text = fc.string({ unit: fc.constantFrom("a", "b", "/", " ", "[", "é", "😀", "*"), maxLength: 10 });

function asRegExp(pattern: string): RegExp {
  const source = [...pattern].map((char) =>
    char === "*" ? ".*" : char === "?" ? "." : char.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
  );
  return new RegExp(`^${source.join("")}$`, "su");
}

Deno.test("a glob fits the whole text: `*` any run, `?` one character, the rest itself", () => {
  fc.assert(fc.property(pattern, text, (p, t) => assert.equal(fits(p, t), asRegExp(p).test(t))), { numRuns: 2_000 });
});

Deno.test("without unknowns, what could fit is what fits", () => {
  fc.assert(fc.property(pattern, text, (p, t) => assert.equal(couldFit(p, t), fits(p, t))), {
    numRuns: 2_000,
    examples: [["a??a", "a😀a"]],
  });
});

Deno.test("an unknown run could be any text, and no text it can be is missed", () => {
  fc.assert(
    fc.property(pattern, text, text, text, (p, before, filling, after) => {
      const open = before + UNKNOWN + after;
      if (fits(p, before + filling + after)) assert.ok(couldFit(p, open), `${p} | ${before} | ${filling} | ${after}`);
      if (fits(p, open)) assert.ok(fits(p, before + filling + after), `${p} | ${before} | ${filling} | ${after}`);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("a pattern that could explode is answered at once", () => {
  const stars = "*a".repeat(30) + "b";
  assert.equal(fits(stars, "a".repeat(20_000)), false);
  assert.equal(couldFit(stars, "a".repeat(2_000) + UNKNOWN + "a".repeat(2_000)), false);
});
