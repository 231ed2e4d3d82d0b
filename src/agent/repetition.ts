/**
 * Rounds that bring nothing but what the round before brought: the model is told, and when it goes on, the turn ends.
 * Work that goes on elsewhere is waited for as long as somebody wishes.
 */
import type { ToolCall } from "../contract/message.ts";
import { foldDigest } from "../lib/digest64.ts";
import type { DispatchOutcome } from "./dispatch.ts";

/** So often in a row earns a hint, and so often an end. */
const TOLD_AT = 3;
export const ENDED_AT = 10;

/** Calls that ask how far something has come. */
const WAITING: ReadonlySet<string> = new Set(["wait", "bash_output"]);

export class Repetition {
  #last = 0n;
  #repeats = 0;
  #failing = false;

  /** Settles one round. True when the model is to be told that it repeats itself. */
  settle(calls: readonly ToolCall[], { results, failed }: Pick<DispatchOutcome, "results" | "failed">): boolean {
    this.#failing = failed.every(Boolean);
    const said = calls.map((call) => `${call.name} ${call.arguments}`);
    // What fails again is the same failure, in whatever words.
    if (!this.#failing) said.push(...results.map(({ content }) => content ?? ""));
    const round = said.reduce((digest, text) => foldDigest(digest, text), this.#failing ? 1n : 0n);
    const waits = !this.#failing && calls.some(({ name }) => WAITING.has(name));
    this.#repeats = waits ? 0 : round === this.#last ? this.#repeats + 1 : 1;
    this.#last = round;
    return this.#repeats >= TOLD_AT;
  }

  /** Every call of the last round failed. */
  get failing(): boolean {
    return this.#failing;
  }

  /** There is no sense in a further round. */
  get isStuck(): boolean {
    return this.#repeats >= ENDED_AT;
  }
}
