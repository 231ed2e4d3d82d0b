import assert from "node:assert/strict";
import fc from "fast-check";
import { BlockSplitter, type Piece } from "./block_splitter.ts";

function split(text: string, cuts: readonly number[] = []): readonly Piece[] {
  const splitter = new BlockSplitter();
  const pieces: Piece[] = [];
  for (const cut of [...cuts].sort((a, b) => a - b)) pieces.push(...splitter.push(text.slice(0, cut)));
  return [...pieces, ...splitter.finish(text)];
}

Deno.test("a block is final at the blank line after it, once the next has begun", () => {
  const splitter = new BlockSplitter();
  assert.deepEqual(splitter.push("one\ntwo\n\n"), []);
  assert.deepEqual(splitter.push("one\ntwo\n\nthree\n"), [{ text: "one\ntwo", joined: false }]);
  assert.equal(splitter.rest.text, "three");
});

Deno.test("blank lines inside a fence end nothing, and fences close only by their own mark", () => {
  const text = "````md\n```\n\nx\n```\n````\n\nend";
  assert.deepEqual(split(text).map((piece) => piece.text), ["````md\n```\n\nx\n```\n````", "end"]);
});

Deno.test("a long fence gives up finished lines, each part a fence of its own", () => {
  const text = `\`\`\`ts\n${Array.from({ length: 15 }, (_, at) => `line ${at}`).join("\n")}\n\`\`\`\n`;
  assert.deepEqual(
    split(text).map(({ text, joined, fence }) => [text.split("\n").length, joined, fence]),
    [[14, false, { head: true, tail: false }], [5, true, { head: false, tail: true }]],
  );
});

Deno.test("indented text after a blank line stays with its list", () => {
  assert.deepEqual(split("- a\n\n  more\n\nnext\n").map(({ text }) => text), ["- a\n\n  more", "next"]);
});

Deno.test("a fence that is never closed is closed for drawing", () => {
  assert.deepEqual(split("```\nx").map(({ text }) => text), ["```\nx\n```"]);
});

Deno.test("however the text arrives, the pieces are the same and nothing is lost", () => {
  const line = fc.constantFrom(
    "text",
    "",
    "```",
    "~~~",
    "- item",
    "1. one",
    "  cont",
    "# head",
    "",
    "    code",
    "| a | b |",
  );
  const document = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));
  fc.assert(fc.property(document, fc.array(fc.nat(400)), (text, cuts) => {
    const whole = split(text);
    assert.deepEqual(split(text, cuts.map((cut) => Math.min(cut, text.length))), whole);
    const words = (all: string) => all.split("\n").filter((part) => !/^\s*(?:`{3,}.*|~{3,}.*)?$/.test(part));
    assert.deepEqual(whole.flatMap((piece) => words(piece.text)), words(text));
  }));
});
