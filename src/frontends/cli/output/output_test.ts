import assert from "node:assert/strict";
import { Output, Streams } from "./output.ts";

/** Writers that note what they take; the asynchronous way waits until it is let go on. */
function desk() {
  const taken: string[] = [];
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const gate = Promise.withResolvers<void>();
  const writer = (name: string, take = (bytes: Uint8Array) => bytes.length) => {
    const note = (bytes: Uint8Array) => {
      const count = take(bytes);
      taken.push(`${name} ${text(bytes.subarray(0, count))}`);
      return count;
    };
    return { writeSync: note, write: (bytes: Uint8Array) => gate.promise.then(() => note(bytes)) };
  };
  return { taken, gate, writer };
}

Deno.test("without a queue a write is done when it returns, in as many pieces as the system wants", () => {
  const { taken, writer } = desk();
  const out = new Output(writer("out", (bytes) => Math.min(2, bytes.length)));
  out.line("abc");
  assert.deepEqual(taken, ["out ab", "out c\n"]);
});

Deno.test("in a queue writes return at once and are done in the order both streams had", async () => {
  const { taken, gate, writer } = desk();
  const streams = new Streams(new Output(writer("out")), new Output(writer("err")), { colour: false });
  streams.queue();
  streams.out.line("1");
  streams.out.line("2");
  streams.out.line("3");
  streams.err.line("4");
  streams.out.line("5");
  assert.deepEqual(taken, []);
  gate.resolve();
  await streams.flush();
  assert.deepEqual(taken, ["out 1\n", "out 2\n3\n", "err 4\n", "out 5\n"]);
  await streams.flush();
});

Deno.test("what a reader has not taken when it is given up is lost, known, and waited for no more", async () => {
  const { taken, writer } = desk();
  const streams = new Streams(new Output(writer("out")), new Output(writer("err")), { colour: false });
  streams.queue();
  streams.out.line("1");
  streams.err.line("2");
  await streams.flush(Promise.resolve());
  assert.deepEqual([taken, streams.out.isBroken, streams.err.isBroken], [[], true, true]);
  streams.out.line("3");
  await streams.flush();
});

Deno.test("a stream that fails in the queue says why and takes nothing more; the other goes on", async () => {
  const { taken, gate, writer } = desk();
  const fails = writer("out", () => {
    throw new Error("no space");
  });
  const streams = new Streams(new Output(fails), new Output(writer("err")), { colour: false });
  streams.queue();
  // As a command does that tells of it.
  void streams.out.closed.then(() => streams.err.line("told"));
  streams.out.line("1");
  gate.resolve();
  await streams.flush();
  streams.out.line("3");
  await streams.flush();
  assert.deepEqual([taken, streams.out.isBroken, String(await streams.out.closed)], [
    ["err told\n"],
    true,
    "Error: no space",
  ]);
});
