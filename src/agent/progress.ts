/**
 * The progress lease (runtime §12): while a task of the list is open, rounds that bring nothing new are counted. A new
 * completion, or a call that succeeded and was not seen before with these arguments and this result, renews the lease;
 * an exact repeat does not. After eight such rounds the model is told once, until something moves again.
 */
import type { Message, ToolCall } from "../contract/message.ts";
import type { TodoItem } from "../contract/tool.ts";

const ROUNDS = 8;

export class ProgressLease {
  readonly #seen = new Set<string>();
  #idle = 0;
  #told = false;
  #open = false;
  #completed = 0;

  /** Settles one tool round. True: the model should be told that it is not getting on. */
  settle(calls: readonly ToolCall[], results: readonly Message[], todos: readonly TodoItem[] | undefined): boolean {
    const completed = todos?.filter((item) => item.status === "completed").length ?? this.#completed;
    if (todos) this.#open = completed < todos.length;
    const news = calls.some((call, at) => this.#isNews(call, results[at]));
    if (news || completed > this.#completed) this.#renew();
    else this.#idle++;
    this.#completed = completed;
    if (!this.#open || this.#told || this.#idle < ROUNDS) return false;
    this.#told = true;
    return true;
  }

  #isNews(call: ToolCall, result: Message | undefined): boolean {
    const failed = /^(error|blocked): /.test(result?.content ?? "error: ");
    if (failed || call.name === "todo_write") return false;
    const key = `${call.name}\n${call.arguments}\n${result?.content ?? ""}`;
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  #renew(): void {
    this.#idle = 0;
    this.#told = false;
  }
}
