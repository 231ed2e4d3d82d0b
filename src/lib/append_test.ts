import assert from "node:assert/strict";
import { append } from "./append.ts";

Deno.test("more can be appended than a call takes arguments", () => {
  const list = [0];
  append(list, Array.from({ length: 500_000 }, (_, at) => at + 1));
  assert.equal(list.length, 500_001);
  assert.equal(list.at(-1), 500_000);
});
