import assert from "node:assert/strict";
import { plainName, toToolName, toToolNames } from "./names.ts";

// proves MCP-37
Deno.test("blanks become underscores; a name that needs nothing else is the plain one", () => {
  assert.equal(toToolName("my server", "list all"), "mcp__my_server__list_all");
  assert.equal(plainName("my server", "list all"), "mcp__my_server__list_all");
});

Deno.test("two long names that begin alike stay two, of 64 characters, the same every time", () => {
  const server = "enterprise-database-management-europe";
  const tools = ["synchronize_all_customer_records_with_archive_a", "synchronize_all_customer_records_with_archive_b"];
  const names = toToolNames(server, tools);
  assert.deepEqual([...names.values()].map((name) => name.length), [64, 64]);
  assert.equal(new Set(names.values()).size, 2);
  assert.deepEqual(toToolNames(server, tools.toReversed()).get(tools[0]!), names.get(tools[0]!));
});

Deno.test("other characters earn a hash of the original", () => {
  const [a, b, c] = ["查询", "列表", "a\u0000b"].map((tool) => toToolName("s", tool));
  for (const name of [a!, b!, c!]) assert.match(name, /^mcp__s__[A-Za-z0-9_-]+_[0-9a-f]{6}$/);
  assert.notEqual(a, b);
});

Deno.test("of two that differ in a blank alone, the one with the blank is told apart, in any order", () => {
  for (const tools of [["a b", "a_b"], ["a_b", "a b"]]) {
    const names = toToolNames("s", tools);
    assert.equal(names.get("a_b"), "mcp__s__a_b");
    assert.match(names.get("a b")!, /^mcp__s__a_b_[0-9a-f]{6}$/);
  }
});

Deno.test("a name another server has taken earns a hash", () => {
  const names = toToolNames("a", ["b__c"], (name) => name === "mcp__a__b__c");
  assert.match(names.get("b__c")!, /^mcp__a__b__c_[0-9a-f]{6}$/);
});
