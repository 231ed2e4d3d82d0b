import assert from "node:assert/strict";
import { guardDial } from "./dial_guard.ts";

const target = new URL("http://host.test/");
const limits = { wait: 1, dial: 5 };
const never = <T>() => new Promise<T>(() => {});

Deno.test("a host that cannot be dialled ends the wait for its answer", async () => {
  const connect = () => Promise.reject(new Error("no route to host"));
  await assert.rejects(guardDial(never(), target, { limits, connect }), { name: "TypeError" });
});

Deno.test("a host that swallows packets ends the wait for its answer", async () => {
  await assert.rejects(guardDial(never(), target, { limits, connect: () => never() }), /fetch failed/);
});

Deno.test("a host that can be dialled is waited for as long as it thinks", async () => {
  const dialled = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<string>();
  const guarded = guardDial(answer.promise, target, {
    limits,
    connect: () => {
      dialled.resolve();
      return Promise.resolve();
    },
  });
  await dialled.promise;
  await new Promise((resolve) => setTimeout(resolve, 10));
  answer.resolve("late");
  assert.equal(await guarded, "late");
});
