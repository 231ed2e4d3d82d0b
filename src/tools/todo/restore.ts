/** The task list of a resumed session: what its transcript says was accepted, once more in the same order. */
import type { Message, ToolCall } from "../../contract/message.ts";
import type { TodoInput, Todos } from "../../contract/tool.ts";
import { isRecord, parseJson } from "../../lib/json.ts";

/** How the result of an accepted list starts. */
export const ACCEPTED = { changed: "Todos updated", unchanged: "Task list unchanged" } as const;

/** Through which a list is sent. */
const TOOLS: ReadonlySet<string> = new Set(["todo_write", "use_capability"]);

/** Looks at no other result: those of a long conversation are more than memory should hold at once. */
export function restoreTodos(todos: Todos, messages: readonly Message[]): void {
  const calls: ToolCall[] = [];
  for (const message of messages) {
    for (const call of message.tool_calls ?? []) if (TOOLS.has(call.name)) calls.push(call);
  }
  const accepted = new Map(calls.map(({ id }) => [id, false]));
  for (const message of messages) {
    if (message.role !== "tool" || !accepted.has(message.tool_call_id ?? "")) continue;
    accepted.set(message.tool_call_id!, message.content?.startsWith(ACCEPTED.changed) ?? false);
  }
  for (const call of calls) {
    const list = accepted.get(call.id) ? listOf(call.name, parseJson(call.arguments)) : undefined;
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
