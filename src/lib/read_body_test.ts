import assert from "node:assert/strict";
import { toText } from "./bytes.ts";
import { readBounded } from "./read_body.ts";

/** Says `text`, then nothing more, and never ends by itself; tells when it was ended. */
function endless(text: string): { body: ReadableStream<Uint8Array<ArrayBuffer>>; ended: Promise<void> } {
  const ended = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    cancel: () => ended.resolve(),
  });
  return { body, ended: ended.promise };
}

Deno.test("a body is read to its end, and none is empty", async () => {
  assert.equal(toText((await readBounded(new Response("one two").body, { most: 7 }))!), "one two");
  assert.equal((await readBounded(null, { most: 7 }))!.length, 0);
});

Deno.test("of a body that is too large no more is read, and it is ended", async () => {
  const { body, ended } = endless("a text");
  assert.equal(await readBounded(body, { most: 5 }), undefined);
  await ended;
});

Deno.test("an abort ends a body that says nothing more, with the signal's reason", async () => {
  const { body, ended } = endless("a");
  const stop = new AbortController();
  const read = readBounded(body, { most: 5, signal: stop.signal });
  queueMicrotask(() => stop.abort(new Error("enough")));
  await assert.rejects(read, { message: "enough" });
  await ended;
});

Deno.test("nothing is read under a signal that has aborted already", async () => {
  const { body, ended } = endless("a");
  await assert.rejects(readBounded(body, { most: 5, signal: AbortSignal.abort() }), { name: "AbortError" });
  await ended;
});
