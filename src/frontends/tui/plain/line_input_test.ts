import assert from "node:assert/strict";
import { LineInput } from "./line_input.ts";

function typed() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const input = new LineInput(new ReadableStream({ start: (own) => void (controller = own) }));
  return {
    input,
    type: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
  };
}

const turn = () => new Promise((done) => setTimeout(done));

Deno.test("lines come one by one, whatever pieces they arrive in", async () => {
  const { input, type, end } = typed();
  type("on");
  type("e\r\ntwo\n");
  assert.deepEqual([await input.next("prompt"), await input.next("prompt")], ["one", "two"]);
  end();
  assert.equal(await input.next("prompt"), undefined);
});

Deno.test("a line typed before a question is no answer to it", async () => {
  const { input, type } = typed();
  type("y\n");
  await turn();
  const answer = input.answer("a1");
  type("n\n");
  assert.equal(await answer, "n");
  assert.equal(await input.next("prompt"), "y");
  await input.close();
});

Deno.test("a question that was settled elsewhere stops waiting, and only it", async () => {
  const { input } = typed();
  const answer = input.answer("a1");
  input.cancel("other");
  input.wake();
  input.cancel("a1");
  assert.equal(await answer, "");
  await input.close();
});
