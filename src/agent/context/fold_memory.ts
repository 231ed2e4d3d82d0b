/**
 * What this agent remembers of its folds: the projection in force, the last receipt, and the rate at which kept turns
 * are counted. Kept in the store where there is one, and taken back from it as far as the transcript proves it.
 */
import type { ContextState, ContextStore } from "../../contract/context.ts";
import type { Message } from "../../contract/message.ts";
import type { Transcript } from "../../contract/session.ts";
import { errorText } from "../../lib/error_text.ts";
import { proveState } from "./restore.ts";

export interface MemoryPorts {
  readonly transcript: Transcript;
  /** Absent: it is remembered for as long as this object lives. */
  readonly store?: ContextStore;
  warn(text: string): void;
}

export class FoldMemory {
  readonly #ports: MemoryPorts;
  #state: ContextState = { generation: 0 };

  constructor(ports: MemoryPorts) {
    this.#ports = ports;
  }

  get state(): ContextState {
    return this.#state;
  }

  /** The transcript as a model is to see it now. */
  view(): readonly Message[] {
    const { messages } = this.#ports.transcript;
    const { projection } = this.#state;
    if (projection === undefined) return messages;
    return [...projection.messages, ...messages.slice(projection.coveredCount)];
  }

  /** In force at once. What cannot be written holds for this run; the next one folds again. */
  async save(state: ContextState): Promise<void> {
    this.#state = state;
    try {
      await this.#ports.store?.save(state);
    } catch (error) {
      this.#ports.warn(`the folded view could not be stored: ${errorText(error)}`);
    }
  }

  async restore(): Promise<void> {
    const { transcript: { messages }, store, warn } = this.#ports;
    const stored = messages.length === 0 ? undefined : await store?.load();
    if (stored === undefined) return;
    const { state, isForeign } = await proveState(stored, messages);
    this.#state = state;
    if (isForeign) warn("the stored summary does not belong to this conversation and is left out");
  }
}
