import assert from "node:assert/strict";
import { toText } from "./bytes.ts";
import { StreamReader } from "./stream_reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("a stream is read to its end, with rests or without", async () => {
  for (const rests of [undefined, { after: 0, every: 1 }]) {
    const said: string[] = [];
    const stream = ReadableStream.from([bytes("one "), bytes("two "), bytes("three")]);
    const reader = new StreamReader(stream, (piece) => said.push(toText(piece)), rests);
    assert.equal(await reader.closed, true);
    assert.deepEqual([said.join(""), reader.bytes], ["one two three", 13]);
  }
});

Deno.test("a stream that breaks has ended, and says so", async () => {
  const stream = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("broken")) });
  assert.equal(await new StreamReader(stream, () => {}).closed, false);
});

Deno.test("a reader that is stopped takes no more", async () => {
  const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(bytes("first")) });
  const said: string[] = [];
  const reader = new StreamReader(stream, (piece) => said.push(toText(piece)));
  await reader.stop();
  assert.ok(said.length <= 1);
  assert.equal(await reader.closed, true);
});
