import assert from "node:assert/strict";
import type { Message } from "../../contract/message.ts";
import type { ToolPorts } from "../../contract/tool.ts";
import { createToolSet } from "../registry.ts";
import { restoreTodos } from "./restore.ts";
import { todoWriteTool } from "./todo_write.ts";
import { createTodos } from "./todos.ts";

Deno.test("a resumed session has the list of the transcript, with the same ids", async () => {
  const todos = createTodos();
  const tool = createToolSet([todoWriteTool], { todos } as unknown as ToolPorts).find("todo_write")!;
  const messages: Message[] = [];
  const write = async (id: string, list: unknown, through = false) => {
    const args = { todos: list };
    const context = { callId: id, signal: new AbortController().signal, progress: () => {} };
    const content = await tool.execute(args, context).then((out) => out.text, (error) => `error: ${error.message}`);
    const call = through
      ? {
        id,
        name: "use_capability",
        arguments: JSON.stringify({ action: "call", capability_id: "tool:todo_write", arguments: args }),
      }
      : { id, name: "todo_write", arguments: JSON.stringify(args) };
    messages.push({ role: "assistant", tool_calls: [call] }, { role: "tool", tool_call_id: id, content });
  };
  await write("1", [{ content: "a", status: "in_progress" }, { content: "b", status: "pending" }]);
  await write("2", [{ content: "b", status: "in_progress" }]);
  await write("3", [{ content: "a", status: "in_progress" }, { content: "c", status: "pending" }], true);
  await write("4", [{ content: "a", status: "completed" }, { content: "c", status: "in_progress" }]);
  messages.push({ role: "assistant", tool_calls: [{ id: "5", name: "todo_write", arguments: '{"todos":' }] });

  assert.match(messages[3]!.content!, /^error: /);
  const again = createTodos();
  restoreTodos(again, messages);
  assert.deepEqual(again.items, todos.items);
  assert.deepEqual(again.items.map((item) => [item.step_id, item.status]), [["s1", "completed"], [
    "s3",
    "in_progress",
  ]]);
});

Deno.test("of a resumed session no result is looked at but those of lists", () => {
  const messages: Message[] = [
    { role: "assistant", tool_calls: [{ id: "1", name: "bash", arguments: '{"command":"ls"}' }] },
    {
      role: "tool",
      tool_call_id: "1",
      get content(): string {
        throw new Error("a large text was read");
      },
    },
    { role: "assistant", tool_calls: [{ id: "2", name: "use_capability", arguments: '{"action":"list"}' }] },
    { role: "tool", tool_call_id: "2", content: "ids" },
  ];
  const todos = createTodos();
  restoreTodos(todos, messages);
  assert.deepEqual(todos.items, []);
});

Deno.test("the result holds the counts and the list with its ids, for people as well", async () => {
  const tool = createToolSet([todoWriteTool], {} as ToolPorts).find("todo_write")!;
  const list = [
    { content: "phase\none", status: "pending" },
    { content: "step", status: "in_progress", level: 1, activeForm: "Stepping" },
  ];
  const context = { callId: "c", signal: new AbortController().signal, progress: () => {} };
  const out = await tool.execute({ todos: list }, context);
  const lines = "2 total — 0 completed, 1 in progress, 1 pending.\n[ ] s1 phase one\n  [>] s2 step";
  assert.deepEqual(out, {
    text: `Todos updated: ${lines}`,
    display: {
      todos: [
        { content: "phase\none", status: "pending", level: 0, step_id: "s1" },
        { content: "step", status: "in_progress", activeForm: "Stepping", level: 1, step_id: "s2" },
      ],
    },
  });
  assert.equal((await tool.execute({ todos: list }, context)).text, `Task list unchanged: ${lines}`);
  await assert.rejects(tool.execute({ todos: [] }, context), /cannot be dropped.*The list was not changed\.$/);
});
