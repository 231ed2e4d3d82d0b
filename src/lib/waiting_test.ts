import assert from "node:assert/strict";
import { settled, settledWithin, untilAborted } from "./waiting.ts";

Deno.test("a wait with a limit tells whether the promise settled, and takes a rejection for an end", async () => {
  const never = new Promise(() => {});
  assert.deepEqual(
    await Promise.all([settledWithin(Promise.resolve(), 1e6), settledWithin(Promise.reject(new Error("no")), 1e6)]),
    [true, true],
  );
  assert.equal(await settledWithin(never, 1), false);
});

Deno.test("a wait until the abort settles as the promise does", async () => {
  const { signal } = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(untilAborted(Promise.reject(new Error("no")), signal), /^Error: no$/);
});

Deno.test("an abort ends the wait with its reason, and what was left behind may reject unheard", async () => {
  const stop = new AbortController();
  const left = Promise.withResolvers<void>();
  const waiting = untilAborted(left.promise, stop.signal);
  stop.abort(new Error("stopped"));
  await assert.rejects(waiting, /^Error: stopped$/);
  await assert.rejects(untilAborted(left.promise, stop.signal), /^Error: stopped$/);
  left.reject(new Error("later"));
  await settled(left.promise);
});
