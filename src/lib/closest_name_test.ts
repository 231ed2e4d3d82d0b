import assert from "node:assert/strict";
import { closestName } from "./closest_name.ts";

Deno.test("a slip of the keys finds the name that was meant", () => {
  const known = ["read_file", "write_file", "grep", "ls"];
  for (
    const [typed, meant] of [
      ["raed_file", "read_file"],
      ["ReadFile", "read_file"],
      ["read-files", "read_file"],
      ["writ_file", "write_file"],
      ["grepp", "grep"],
      ["l", "ls"],
    ] as const
  ) {
    assert.equal(closestName(typed, known), meant, typed);
  }
});

Deno.test("what resembles nothing finds nothing", () => {
  assert.equal(closestName("frobnicate", ["read_file", "grep"]), undefined);
  assert.equal(closestName("", []), undefined);
  assert.equal(closestName("x".repeat(100_000), ["grep"]), undefined);
});
