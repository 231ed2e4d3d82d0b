/** The tool through which the model keeps its task list. */
import { ToolError } from "../../contract/errors.ts";
import type { TodoInput, TodoItem, Tool, ToolKind } from "../../contract/tool.ts";
import { ACCEPTED } from "./restore.ts";
import { createTodos } from "./todos.ts";
import description from "./todo_write.md" with { type: "text" };

const MARKS = { completed: "[x]", in_progress: "[>]", pending: "[ ]" } as const;

export const todoWriteTool: ToolKind = {
  name: "todo_write",
  create(ports): Tool {
    const todos = ports.todos ?? createTodos();
    return {
      name: "todo_write",
      description,
      readOnly: true,
      direct: true,
      schema: {
        type: "object",
        properties: {
          todos: {
            type: "array",
            maxItems: 100,
            items: {
              type: "object",
              properties: {
                content: { type: "string" },
                status: { enum: ["pending", "in_progress", "completed"] },
                activeForm: { type: "string" },
                level: { enum: [0, 1] },
                step_id: { type: "string" },
              },
              required: ["content", "status"],
            },
          },
        },
        required: ["todos"],
      },
      execute(args) {
        const change = todos.replace(args.todos as readonly TodoInput[]);
        if ("problem" in change) {
          return Promise.reject(new ToolError(`${change.problem}. The list was not changed.`));
        }
        const lead = change.changed ? ACCEPTED.changed : ACCEPTED.unchanged;
        return Promise.resolve({ text: toText(lead, change.items), display: { todos: change.items } });
      },
    };
  },
};

function toText(lead: string, items: readonly TodoItem[]): string {
  const count = (status: TodoItem["status"]) => items.filter((item) => item.status === status).length;
  const counts = `${items.length} total — ${count("completed")} completed, ${count("in_progress")} in progress, ` +
    `${count("pending")} pending.`;
  const lines = items.map((item) =>
    `${"  ".repeat(item.level)}${MARKS[item.status]} ${item.step_id} ${item.content.replace(/\s+/g, " ")}`
  );
  return [`${lead}: ${counts}`, ...lines].join("\n");
}
