import assert from "node:assert/strict";
import { chooseDirect, schemaTokens } from "./direct_choice.ts";

const tools = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `t${i}`,
    description: "x".repeat(356),
    schema: {},
    readOnly: false,
    destructive: false,
  }));

Deno.test("servers give way whole, the largest first, until the rest fits", () => {
  const one = (name: string, count: number, load: "auto" | "always" | "deferred" = "auto") => ({
    name,
    load,
    tools: tools(count),
  });
  assert.equal(schemaTokens(tools(10)), 1_000);
  assert.deepEqual([...chooseDirect([one("a", 10), one("b", 40), one("c", 30)], 8_100)], ["a", "b", "c"]);
  assert.deepEqual([...chooseDirect([one("a", 10), one("b", 50), one("c", 40)], 8_000)], ["a", "c"]);
  assert.deepEqual([
    ...chooseDirect([one("a", 10), one("b", 90, "always"), one("c", 1, "deferred"), one("none", 0)], 8_000),
  ], ["b"]);
  assert.deepEqual([...chooseDirect([one("a", 1)], 0)], []);
});
