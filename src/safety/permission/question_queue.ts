/**
 * Questions to the person, one at a time: an answer may settle those that wait behind it. Two identical calls are one
 * question, whichever answer it gets.
 */
import type { ApprovalAnswer } from "../../contract/decision.ts";
import { SerialGate } from "../../lib/serial_gate.ts";
import { untilAborted } from "../../lib/waiting.ts";

interface Waiting {
  readonly key: string;
  answer?: ApprovalAnswer;
}

export class QuestionQueue {
  readonly #turns = new SerialGate();
  readonly #waiting = new Set<Waiting>();

  /**
   * Waits for its turn, then puts the question; undefined: whatever came before has settled it, look again. A question
   * without a key is never answered by another's answer. Rejects with the signal's reason when that comes first.
   */
  async ask(
    question: { readonly key?: string; readonly stillOpen: () => boolean; readonly put: () => Promise<ApprovalAnswer> },
    signal: AbortSignal,
  ): Promise<{ readonly answer: ApprovalAnswer; readonly shared: boolean } | undefined> {
    const mine: Waiting | undefined = question.key === undefined ? undefined : { key: question.key };
    if (mine) this.#waiting.add(mine);
    try {
      return await this.#turns.run(async () => {
        if (mine?.answer !== undefined) return { answer: mine.answer, shared: true };
        if (!question.stillOpen()) return undefined;
        const answer = await untilAborted(question.put(), signal);
        for (const other of this.#waiting) if (mine && other.key === mine.key) other.answer = answer;
        return { answer, shared: false };
      }, signal);
    } finally {
      if (mine) this.#waiting.delete(mine);
    }
  }
}
