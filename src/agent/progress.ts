/**
 * The progress lease: while a task of the list is open, rounds that bring nothing new are counted. A new completion, or
 * a call that succeeded and was not seen before with these arguments and this result, renews the lease; an exact repeat
 * does not. After eight such rounds the model is told once, until something moves again.
 */
import type { ToolCall } from "../contract/message.ts";
import { foldDigest } from "../lib/digest64.ts";
import type { DispatchOutcome } from "./dispatch.ts";

const ROUNDS = 8;

export class ProgressLease {
  /** Digests of calls with their results. */
  readonly #seen = new Set<bigint>();
  #idle = 0;
  #told = false;
  #open = false;
  #completed = 0;

  /** Settles one tool round. True: the model should be told that it is not getting on. */
  settle(
    calls: readonly ToolCall[],
    { results, failed, todos }: Pick<DispatchOutcome, "results" | "failed" | "todos">,
  ): boolean {
    const completed = todos?.filter((item) => item.status === "completed").length ?? this.#completed;
    if (todos) this.#open = completed < todos.length;
    // Every call of the round is noted, so that its repeat is known.
    const news = calls.filter((call, at) => !failed[at] && this.#isNews(call, results[at]!.content ?? "")).length > 0;
    if (news || completed > this.#completed) this.#renew();
    else this.#idle++;
    this.#completed = completed;
    if (!this.#open || this.#told || this.#idle < ROUNDS) return false;
    this.#told = true;
    return true;
  }

  #isNews({ name, arguments: args }: ToolCall, result: string): boolean {
    if (name === "todo_write") return false;
    const before = this.#seen.size;
    return this.#seen.add(foldDigest(foldDigest(0n, `${name}\n${args}`), result)).size > before;
  }

  #renew(): void {
    this.#idle = 0;
    this.#told = false;
  }
}
