/** A stored conversation as items, for a screen that opens in the middle of it. */
import type { Message } from "../../contract/message.ts";
import type { TodoItem } from "../../contract/tool.ts";
import { isRecord, parseJson } from "../../lib/json.ts";
import type { Item } from "./item.ts";

export interface StoredItems {
  readonly items: readonly Item[];
  /** Earlier turns that were left out. */
  readonly omittedTurns: number;
}

/** Keys are negative and rise, so that they never meet those of events. */
export function itemsOf(messages: readonly Message[], options: { readonly turns: number }): StoredItems {
  const starts = messages.flatMap((message, at) => isPerson(message) ? [at] : []);
  const omittedTurns = Math.max(0, starts.length - options.turns);
  const shown = messages.slice(omittedTurns === 0 ? 0 : starts[omittedTurns]);
  const results = new Map(shown.flatMap((m) => m.role === "tool" && m.tool_call_id ? [[m.tool_call_id, m]] : []));
  const found = shown.flatMap((message) => itemsOfMessage(message, results));
  return { omittedTurns, items: found.map((item, at) => ({ ...item, key: at - found.length }) as Item) };
}

function isPerson(message: Message): boolean {
  return message.role === "user" && !message.host_authored && !message.local_only;
}

type Keyless = Item extends infer I ? I extends Item ? Omit<I, "key"> : never : never;

function itemsOfMessage(message: Message, results: ReadonlyMap<string, Message>): Keyless[] {
  if (isPerson(message)) {
    return [{ kind: "user", text: message.raw_content ?? message.content ?? "", steer: false }];
  }
  if (message.interrupted_turn) {
    return [{ kind: "turn_end", outcome: "cancelled", rounds: 0 }];
  }
  if (message.role !== "assistant" || message.local_only) return [];
  const items: Keyless[] = [];
  if (message.reasoning_content) items.push({ kind: "thinking", text: message.reasoning_content });
  if (message.content) items.push({ kind: "answer", text: message.content });
  for (const call of message.tool_calls ?? []) {
    const result = results.get(call.id);
    const failed = result?.tool_failure !== undefined || /^(?:error|blocked): /.test(result?.content ?? "");
    items.push({
      kind: "tool",
      progress: "",
      tool: {
        id: call.id,
        name: call.name,
        args: call.arguments,
        readOnly: false,
        runState: result === undefined ? "cut_off" : result.tool_failure?.blocked ? "not_started" : "completed",
        output: result?.content ?? "",
        ...(failed ? { err: result?.content ?? "" } : {}),
        ...(result?.tool_execution?.duration_ms === undefined ? {} : { durationMs: result.tool_execution.duration_ms }),
        ...(result?.tool_execution?.exit_code === undefined ? {} : { exitCode: result.tool_execution.exit_code }),
        ...(result?.tool_failure ? { refusalCode: result.tool_failure.code } : {}),
      },
    });
  }
  return items;
}

/** How much of the window the conversation filled when a model last answered; 0 where nobody counted. */
export function contextTokensOf(messages: readonly Message[]): number {
  return messages.findLast((message) => message.context_tokens !== undefined)?.context_tokens ?? 0;
}

/** The newest task list the conversation holds, as the model wrote it. */
export function todosOf(messages: readonly Message[]): readonly TodoItem[] {
  for (let at = messages.length - 1; at >= 0; at--) {
    for (const call of messages[at]!.tool_calls ?? []) {
      if (call.name !== "todo_write") continue;
      const todos = readTodos(call.arguments);
      if (todos) return todos;
    }
  }
  return [];
}

function readTodos(text: string): readonly TodoItem[] | undefined {
  const args = parseJson(text);
  if (!isRecord(args) || !Array.isArray(args.todos)) return undefined;
  return args.todos.filter(isRecord).flatMap(({ content, status, level }, at): TodoItem[] => {
    if (typeof content !== "string") return [];
    const known = status === "in_progress" || status === "completed" ? status : "pending";
    return [{ content, status: known, level: level === 1 ? 1 : 0, step_id: String(at) }];
  });
}
