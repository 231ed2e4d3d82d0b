/** The task list of a resumed session: what its transcript says was accepted, once more in the same order. */
import type { Message } from "../../contract/message.ts";
import type { TodoInput, Todos } from "../../contract/tool.ts";
import { isRecord, parseJson } from "../../lib/json.ts";

/** How the result of an accepted list starts. */
export const ACCEPTED = { changed: "Todos updated", unchanged: "Task list unchanged" } as const;

export function restoreTodos(todos: Todos, messages: readonly Message[]): void {
  const results = new Map<string, string>();
  for (const message of messages) {
    if (message.role === "tool" && message.tool_call_id !== undefined) {
      results.set(message.tool_call_id, message.content ?? "");
    }
  }
  for (const call of messages.flatMap((message) => message.tool_calls ?? [])) {
    if (!results.get(call.id)?.startsWith(ACCEPTED.changed)) continue;
    const list = listOf(call.name, parseJson(call.arguments));
    if (list !== undefined) todos.replace(list);
  }
}

/** The list of a call, made directly or through `use_capability`. */
function listOf(name: string, args: unknown): readonly TodoInput[] | undefined {
  if (!isRecord(args)) return undefined;
  const { todos, capability_id, arguments: inner } = args;
  if (name === "todo_write") return Array.isArray(todos) ? todos : undefined;
  return capability_id === "tool:todo_write" ? listOf("todo_write", inner) : undefined;
}
