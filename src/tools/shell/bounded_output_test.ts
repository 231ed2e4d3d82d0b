import assert from "node:assert/strict";
import { toBytes } from "../../lib/bytes.ts";
import { BoundedOutput } from "./bounded_output.ts";

Deno.test("a character that comes in two writes is whole", () => {
  const output = new BoundedOutput();
  output.write(Uint8Array.of(0xe4, 0xb8));
  output.write(Uint8Array.of(0xad, 0x0a));
  assert.equal(output.text(), "中\n");
});

Deno.test("bytes that are not UTF-8 are replaced, NUL and byte-order marks are kept", () => {
  const output = new BoundedOutput();
  output.write(Uint8Array.of(0xff, 0x00, 0xef, 0xbb, 0xbf, 0x61));
  output.end();
  assert.equal(output.text(), "\ufffd\0\ufeffa");
});

Deno.test("both ends of a flood are kept, what lies between is counted", () => {
  const output = new BoundedOutput({ kept: 20 });
  for (let i = 0; i < 100_000; i++) output.write(toBytes(`${i}\n`));
  output.end();
  const text = output.text();
  assert.match(
    text,
    /^0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n\n…\[\d+ characters left out here; the command wrote 588890 bytes/,
  );
  assert.ok(text.endsWith("99998\n99999\n"));
  const left = Number(/\[(\d+) characters/.exec(text)![1]);
  const tail = text.slice(text.indexOf("]…\n") + 3);
  assert.equal(20 + left + tail.length, 588890);
});

Deno.test("a reading goes on where the last one ended, also across what was dropped", () => {
  const output = new BoundedOutput({ kept: 8 });
  output.write(toBytes("one\ntw"));
  assert.equal(output.since(0), "one\ntw");
  const position = output.position;
  output.write(toBytes("o\n"));
  assert.equal(output.since(position), "two\n");
  const second = output.position;
  output.write(toBytes("aaaa\nbbbb\ncccc\n"));
  assert.equal(output.since(second), "aaaa\nbbbb\ncccc\n");
  for (let i = 0; i < 9000; i++) output.write(toBytes("xyz\n"));
  assert.match(output.since(second), /^\n…\[\d+ characters left out/);
  assert.equal(output.since(output.position), "");
});
