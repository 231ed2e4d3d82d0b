/** Questions to the person: out as an event with an id, back as an intent with that id. The first answer wins. */
import type { ApprovalAnswer, ApprovalRequest, Approver } from "../contract/decision.ts";
import type { EventBody } from "../contract/event.ts";

export class Approvals implements Approver {
  readonly #emit: (body: EventBody) => void;
  readonly #open = new Map<string, (answer: ApprovalAnswer) => void>();

  constructor(emit: (body: EventBody) => void) {
    this.#emit = emit;
  }

  /** Rejects with the signal's reason when the turn is stopped first; the question is then closed as parked. */
  request(approval: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<ApprovalAnswer>();
    const stop = () => {
      this.#open.delete(approval.id);
      this.#emit({ kind: "approval_settled", id: approval.id, answer: "parked" });
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
    this.#open.set(approval.id, (answer) => {
      signal.removeEventListener("abort", stop);
      this.#open.delete(approval.id);
      this.#emit({ kind: "approval_settled", id: approval.id, answer });
      resolve(answer);
    });
    this.#emit({ kind: "approval_request", approval });
    return promise;
  }

  /** False when nobody asks this (any more). */
  settle(id: string, answer: ApprovalAnswer): boolean {
    const open = this.#open.get(id);
    open?.(answer);
    return open !== undefined;
  }
}
