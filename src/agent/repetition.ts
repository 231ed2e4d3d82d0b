/** Equal batches of calls that fail again and again: the model is told. */
import type { ToolCall } from "../contract/message.ts";

/** So often in a row earns a hint. */
const SAME_FAILURES = 3;

export class Repetition {
  #signature = "";
  #repeats = 0;

  /** True when the model is to be told that it repeats itself. */
  settle(calls: readonly ToolCall[], allFailed: boolean): boolean {
    const signature = calls.map((call) => `${call.name} ${call.arguments}`).join("\n");
    this.#repeats = allFailed ? (signature === this.#signature ? this.#repeats + 1 : 1) : 0;
    this.#signature = signature;
    return this.#repeats >= SAME_FAILURES;
  }
}
