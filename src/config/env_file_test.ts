import assert from "node:assert/strict";
import fc from "fast-check";
import { clearedLine, envLine, parseEnv } from "./env_file.ts";

Deno.test("lines, export, quotes, comments and marks of removed keys", () => {
  const { values, cleared } = parseEnv(`
# a comment
A=1
export B = "two words" # why
C='single # not a comment'
D=bare # comment
E=a#b
F="say \\"hi\\"\\n"
G=
not a line
9BAD=x
# reasonix-cleared GONE
# reasonix-cleared A
A=last
`);
  assert.deepEqual([...values], [
    ["A", "last"],
    ["B", "two words"],
    ["C", "single # not a comment"],
    ["D", "bare"],
    ["E", "a#b"],
    ["F", 'say "hi"\n'],
    ["G", ""],
  ]);
  assert.deepEqual([...cleared], ["GONE"]);
});

Deno.test("Windows line ends are no part of a value", () => {
  assert.deepEqual([...parseEnv("A=1\r\nB=2\r\n").values], [["A", "1"], ["B", "2"]]);
});

Deno.test("separators of Unicode end no line", () => {
  for (const value of ["a\u2028b", "! \u2029c", 'q"\u2028\\']) {
    assert.equal(parseEnv(envLine("KEY", value)).values.get("KEY"), value);
  }
});

Deno.test("what is written is read back as it was", () => {
  const line = fc.string({ unit: "grapheme" }).filter((text) => text === text.trim() && !/\p{Cc}/u.test(text));
  fc.assert(fc.property(line, (value) => {
    assert.equal(parseEnv(envLine("KEY", value)).values.get("KEY"), value);
  }));
  assert.deepEqual([...parseEnv(clearedLine("KEY")).cleared], ["KEY"]);
});
