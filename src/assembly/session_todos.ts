/** The task list of a conversation, which can become that of an earlier moment. */
import type { Message } from "../contract/message.ts";
import type { Todos } from "../contract/tool.ts";
import { createTodos, restoreTodos } from "../tools/mod.ts";

export interface SessionTodos extends Todos {
  /** Back to what the conversation says. */
  restore(messages: readonly Message[]): void;
}

export function createSessionTodos(messages: readonly Message[]): SessionTodos {
  let current = createTodos();
  const todos: SessionTodos = {
    get items() {
      return current.items;
    },
    replace: (list) => current.replace(list),
    restore: (conversation) => {
      current = createTodos();
      restoreTodos(current, conversation);
    },
  };
  todos.restore(messages);
  return todos;
}
