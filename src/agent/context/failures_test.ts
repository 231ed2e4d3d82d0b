import assert from "node:assert/strict";
import type { Message, ToolExecution } from "../../contract/message.ts";
import { failureLines, isFailure, keepFailures } from "./failures.ts";

const GO_LOG = [
  "=== RUN   TestSum",
  "--- PASS: TestSum (0.00s)",
  "=== RUN   TestPrice",
  "    price_test.go:12: want 3, got 4",
  "--- FAIL: TestPrice (0.00s)",
  "FAIL",
  "exit status 1",
].join("\n");

const result = (content: string, record?: ToolExecution): Message => ({
  role: "tool",
  tool_call_id: "c1",
  name: "bash",
  content,
  ...(record ? { tool_execution: record } : {}),
});

Deno.test("what failed is told by the host's record and not by the text", () => {
  // proves CTX-39
  const records: [Message, boolean][] = [
    [result(GO_LOG, { state: "completed", exit_code: 1 }), true],
    [result("=== RUN", { state: "failed" }), true],
    [result("…", { state: "timed_out" }), true],
    [result("error: 0 errors found", { state: "completed", exit_code: 0 }), false],
    [result("fine", { state: "cancelled" }), false],
    [result("error: no such file"), true],
    [result("blocked: outside the workspace"), true],
    [result("an error: somewhere"), false],
    [{ role: "user", content: "error: mine" }, false],
  ];
  assert.deepEqual(records.map(([message]) => isFailure(message)), records.map(([, failed]) => failed));
});

Deno.test("with a record only the failure-carrying lines stay, and the record with them", () => {
  // proves CTX-38 CTX-40
  const record: ToolExecution = { state: "failed", exit_code: 1 };
  const asking: Message = { role: "assistant", tool_calls: [{ id: "c1", name: "bash", arguments: "{}" }] };
  const [kept] = keepFailures([asking, result(GO_LOG, record)], 0, 2);
  assert.deepEqual(kept?.messages, [
    asking,
    result(
      ["    price_test.go:12: want 3, got 4", "--- FAIL: TestPrice (0.00s)", "FAIL", "exit status 1"].join("\n"),
      record,
    ),
  ]);
});

Deno.test("without a record the whole result stays", () => {
  const whole = "error: no such file\nnearest names:\n- a.ts";
  const asking: Message = { role: "assistant", tool_calls: [{ id: "c1", name: "bash", arguments: "{}" }] };
  assert.deepEqual(keepFailures([asking, result(whole)], 0, 2), [{ at: 0, messages: [asking, result(whole)] }]);
});

Deno.test("a call and its result stay or go together: of a batch only the failed calls are kept", () => {
  const call = (id: string) => ({ id, name: "bash", arguments: "{}" });
  const asking: Message = {
    role: "assistant",
    content: "both",
    tool_calls: [call("a"), call("b")],
    reasoning_content: "why",
    provider_items: [{ of: "a and b" }],
  };
  const fine: Message = { role: "tool", tool_call_id: "a", name: "bash", content: "fine" };
  const bad: Message = { role: "tool", tool_call_id: "b", name: "bash", content: "error: b" };
  assert.deepEqual(keepFailures([asking, fine, bad], 0, 3), [{
    at: 0,
    messages: [{ role: "assistant", content: "both", tool_calls: [call("b")], reasoning_content: "why" }, bad],
  }]);
});

Deno.test("a failure that names itself nowhere shows its end, and a flood of failures is cut in the middle", () => {
  assert.equal(failureLines("1\n2\n3\n4\n5\n6\n7\n"), "3\n4\n5\n6\n7");
  const flood = failureLines(Array.from({ length: 500 }, (_, at) => `error ${at}`).join("\n")).split("\n");
  assert.deepEqual([flood.length, flood[0], flood[30], flood.at(-1)], [
    61,
    "error 0",
    "…[440 such lines]…",
    "error 499",
  ]);
});
