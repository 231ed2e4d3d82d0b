import assert from "node:assert/strict";
import type { TodoItem } from "../contract/tool.ts";
import { ProgressLease } from "./progress.ts";

const open: TodoItem[] = [{ content: "a", status: "in_progress", level: 0, step_id: "s1" }];
const CALL = { id: "c", name: "read_file", arguments: "{}" };
const round = (lease: ProgressLease, content: string, todos?: TodoItem[]) =>
  lease.settle([CALL], { results: [{ role: "tool", content }], failed: [false], ...(todos ? { todos } : {}) });

Deno.test("eight rounds without anything new are told once, and again only after something moved", () => {
  // proves LOOP-08 LOOP-09 LOOP-10
  const lease = new ProgressLease();
  round(lease, "same", open);
  const told = Array.from({ length: 12 }, () => round(lease, "same"));
  assert.deepEqual(told.map(Number), [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
  assert.equal(round(lease, "new"), false);
  assert.deepEqual(Array.from({ length: 8 }, () => round(lease, "same")).map(Number), [0, 0, 0, 0, 0, 0, 0, 1]);
});

Deno.test("a completed task renews the lease though every result repeats", () => {
  const lease = new ProgressLease();
  round(lease, "same", [...open, ...open]);
  for (let at = 0; at < 7; at++) round(lease, "same");
  const [first, second] = open as [TodoItem, TodoItem?];
  assert.equal(round(lease, "same", [{ ...first, status: "completed" }, second ?? first]), false);
});

Deno.test("a call that failed brings nothing new, whatever it says; a file that begins with an error does", () => {
  const rounds = (failed: boolean) => {
    const lease = new ProgressLease();
    round(lease, "first", open);
    return Array.from(
      { length: 8 },
      (_, at) => lease.settle([CALL], { results: [{ role: "tool", content: `error: ${at}` }], failed: [failed] }),
    ).map(Number);
  };
  assert.deepEqual(rounds(true), [0, 0, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual(rounds(false), [0, 0, 0, 0, 0, 0, 0, 0]);
});

Deno.test("without an open task nothing is counted against the model", () => {
  const lease = new ProgressLease();
  assert.equal(Array.from({ length: 20 }, () => round(lease, "error: no")).some(Boolean), false);
});
