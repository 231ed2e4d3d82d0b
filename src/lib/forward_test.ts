import assert from "node:assert/strict";
import { forwardTo } from "./forward.ts";

class Counter {
  readonly name: string;
  #count = 0;
  constructor(name: string) {
    this.name = name;
  }
  next(): number {
    return ++this.#count;
  }
  get count(): number {
    return this.#count;
  }
}

Deno.test("each use goes to the owner of the moment, with its own state", () => {
  const [first, second] = [new Counter("first"), new Counter("second")];
  let owner = first;
  const port = forwardTo(() => owner);
  const { next } = port;
  assert.deepEqual([port.next(), next(), port.name, port.count], [1, 2, "first", 2]);
  owner = second;
  assert.deepEqual([port.next(), port.name, first.count, "name" in port], [1, "second", 2, true]);
});
