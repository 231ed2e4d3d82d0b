import assert from "node:assert/strict";
import fc from "fast-check";
import { LineReader } from "./line_reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("lines are the same wherever the bytes are cut", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 8 })), fc.array(fc.nat(40)), (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll(/[\r\n]/g, "."));
      const whole = bytes(lines.map((line) => line + "\n").join("") + "rest");
      const reader = new LineReader(1_000);
      const read: unknown[] = [];
      const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length];
      for (let i = 1; i < places.length; i++) read.push(...reader.push(whole.slice(places[i - 1], places[i])));
      assert.deepEqual([...read, reader.end()], [...lines, "rest"]);
    }),
  );
});

Deno.test("of a line over the limit only both ends are kept, and the next line is whole", () => {
  const reader = new LineReader(2_000);
  const long = "a".repeat(600) + "b".repeat(5_000) + "c".repeat(600);
  const lines = [...reader.push(bytes(long.slice(0, 3_000))), ...reader.push(bytes(long.slice(3_000) + "\nnext\r\n"))];
  assert.deepEqual(lines, [{ head: "a".repeat(512), tail: "c".repeat(512) }, "next"]);
});
