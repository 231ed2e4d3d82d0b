import assert from "node:assert/strict";
import type { Message } from "../../contract/message.ts";
import { contextTokensOf, itemsOf, todosOf } from "./stored_items.ts";

const messages: readonly Message[] = [
  { role: "system", content: "be good" },
  { role: "user", content: "context", host_authored: true },
  { role: "user", content: "with references", raw_content: "first" },
  {
    role: "assistant",
    content: "doing",
    reasoning_content: "hm",
    tool_calls: [{ id: "c1", name: "todo_write", arguments: '{"todos":[{"content":"a","status":"in_progress"}]}' }],
  },
  { role: "tool", tool_call_id: "c1", name: "todo_write", content: "kept" },
  { role: "user", content: "second" },
  { role: "assistant", content: "done" },
];

Deno.test("a stored conversation is shown as it was said, without what the host added", () => {
  const { items, omittedTurns } = itemsOf(messages, { turns: 10 });
  assert.equal(omittedTurns, 0);
  assert.deepEqual(items.map((item) => [item.kind, item.key, "text" in item ? item.text : ""]), [
    ["user", -6, "first"],
    ["thinking", -5, "hm"],
    ["answer", -4, "doing"],
    ["tool", -3, ""],
    ["user", -2, "second"],
    ["answer", -1, "done"],
  ]);
});

Deno.test("of a long conversation the last turns are shown and the others counted", () => {
  const { items, omittedTurns } = itemsOf(messages, { turns: 1 });
  assert.deepEqual([omittedTurns, items.map(({ kind }) => kind)], [1, ["user", "answer"]]);
});

Deno.test("a call without a result was cut off: nobody knows that it did not run", () => {
  const cut: Message = { role: "assistant", tool_calls: [{ id: "c9", name: "bash", arguments: '{"command":"x"}' }] };
  const states = itemsOf([...messages, cut], { turns: 10 }).items.flatMap((item) =>
    item.kind === "tool" ? [item.tool.runState] : []
  );
  assert.deepEqual(states, ["completed", "cut_off"]);
});

Deno.test("the size of the context comes with the answer that was counted last", () => {
  const counted: Message[] = [{ role: "assistant", content: "a", context_tokens: 7 }, { role: "user", content: "b" }];
  assert.deepEqual([contextTokensOf(counted), contextTokensOf(messages)], [7, 0]);
});

Deno.test("the newest task list comes back; arguments that are no list are passed over", () => {
  const broken: Message = { role: "assistant", tool_calls: [{ id: "c2", name: "todo_write", arguments: "{" }] };
  assert.deepEqual(todosOf([...messages, broken]), [{ content: "a", status: "in_progress", level: 0, step_id: "0" }]);
});
