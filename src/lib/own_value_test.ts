import assert from "node:assert/strict";
import { ownValue } from "./own_value.ts";

Deno.test("what every object inherits is no entry of a table", () => {
  const table: Record<string, string> = { a: "one" };
  for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"]) {
    assert.equal(ownValue(table, name), undefined, name);
  }
  assert.equal(ownValue(table, "a"), "one");
});
