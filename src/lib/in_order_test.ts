import assert from "node:assert/strict";
import { inOrder } from "./in_order.ts";

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function steps(): { readonly begun: number[]; finish(item: number): void; work(item: number): Promise<number> } {
  const begun: number[] = [];
  const finish = new Map<number, () => void>();
  return {
    begun,
    finish: (item) => finish.get(item)!(),
    work: (item) =>
      new Promise((resolve) => {
        begun.push(item);
        finish.set(item, () => resolve(item * 10));
      }),
  };
}

Deno.test("results come in the order of the items, whichever is done first", async () => {
  const { finish, work } = steps();
  const all = collect(inOrder([1, 2, 3], 3, work));
  await tick();
  for (const item of [3, 1, 2]) finish(item);
  assert.deepEqual(await all, [10, 20, 30]);
});

Deno.test("no more than the width is in flight", async () => {
  const { begun, finish, work } = steps();
  const all = collect(inOrder([1, 2, 3], 2, work));
  await tick();
  assert.deepEqual(begun, [1, 2]);
  finish(1);
  await tick();
  assert.deepEqual(begun, [1, 2, 3]);
  finish(2);
  finish(3);
  assert.deepEqual(await all, [10, 20, 30]);
});

Deno.test("a result does not wait for a source that is slow to give the next item", async () => {
  const never = Promise.withResolvers<void>();
  async function* slow() {
    yield 1;
    await never.promise;
    yield 2;
  }
  const results = inOrder(slow(), 4, (item) => Promise.resolve(item));
  assert.deepEqual(await results.next(), { done: false, value: 1 });
  never.resolve();
  await results.return(undefined);
});

Deno.test("whoever stops early waits for what was begun, and the source is closed", async () => {
  const { finish, work } = steps();
  let closed = false;
  function* source() {
    try {
      yield* [1, 2, 3, 4];
    } finally {
      closed = true;
    }
  }
  const results = inOrder(source(), 2, work);
  const first = results.next();
  await tick();
  finish(1);
  await first;
  let returned = false;
  const end = results.return(undefined).then(() => returned = true);
  await tick();
  assert.equal(returned, false);
  finish(2);
  await end;
  assert.equal(closed, true);
});

Deno.test("a failure comes at its turn", async () => {
  const results = inOrder([1, 2], 2, (item) => item === 2 ? Promise.reject(new Error("two")) : Promise.resolve(item));
  assert.deepEqual(await results.next(), { done: false, value: 1 });
  await assert.rejects(results.next(), /two/);
});

Deno.test("a failing source is told", async () => {
  async function* source() {
    yield 1;
    throw new Error("source");
  }
  await assert.rejects(collect(inOrder(source(), 2, (item) => Promise.resolve(item))), /source/);
});

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
