/** Asks every observer in turn; what one of them breaks, a notice says. */
import { isAbort } from "../contract/errors.ts";
import type { EventBody } from "../contract/event.ts";
import type {
  CallRefusal,
  EndedRequest,
  FoldStart,
  LoopObserver,
  ObservedAnswer,
  ObservedCall,
  TurnContribution,
  TurnEnd,
  TurnStart,
} from "../contract/observer.ts";
import type { Image } from "../contract/message.ts";
import type { ToolOutput } from "../contract/tool.ts";
import { errorText } from "../lib/error_text.ts";

export class Observers {
  readonly #observers: readonly LoopObserver[];
  readonly #emit: (body: EventBody) => void;

  constructor(observers: readonly LoopObserver[], emit: (body: EventBody) => void) {
    this.#observers = observers;
    this.#emit = emit;
  }

  /** All contributions joined; the first refusal ends the asking. */
  async turnBegins(
    turn: TurnStart,
    signal: AbortSignal,
  ): Promise<Required<Omit<TurnContribution, "refusal">> & { refusal?: string }> {
    const before: string[] = [];
    const after: string[] = [];
    const images: Image[] = [];
    for (const observer of this.#observers) {
      const given = await this.#guarded(observer, () => observer.turnBegins?.(turn, signal), signal);
      if (given?.refusal !== undefined) return { before, after, images, refusal: given.refusal };
      before.push(...given?.before ?? []);
      after.push(...given?.after ?? []);
      images.push(...given?.images ?? []);
    }
    return { before, after, images };
  }

  /** `describe` is asked where anybody wants to know. */
  requestEnded(describe: () => EndedRequest): void {
    for (const observer of this.#observers) {
      try {
        observer.requestEnded?.(describe());
      } catch (error) {
        this.#tellFailure(observer, error);
      }
    }
  }

  async callBegins(call: ObservedCall, signal: AbortSignal): Promise<CallRefusal | undefined> {
    for (const observer of this.#observers) {
      try {
        const refusal = await observer.callBegins?.(call, signal);
        if (refusal) return refusal;
      } catch (error) {
        if (isAbort(error, signal)) throw error;
        // A check that cannot answer has answered no.
        return { code: "hook.blocked", message: `${observer.name} could not check this call: ${errorText(error)}` };
      }
    }
    return undefined;
  }

  /** What stands behind the result, in the order of the observers. */
  async callEnded(call: ObservedCall, output: ToolOutput, signal: AbortSignal): Promise<readonly string[]> {
    const words: string[] = [];
    for (const observer of this.#observers) {
      const said = await this.#guarded(observer, () => observer.callEnded?.(call, output, signal), signal);
      if (said) words.push(said);
    }
    return words;
  }

  /** What is shown as the reasoning: the model's, unless an observer puts something in its place; the last word counts. */
  async answerEnded(answer: ObservedAnswer, signal: AbortSignal): Promise<string> {
    let { reasoning } = answer;
    for (const observer of this.#observers) {
      const given = await this.#guarded(
        observer,
        () => observer.answerEnded?.({ text: answer.text, reasoning }, signal),
        signal,
      );
      reasoning = given?.reasoning ?? reasoning;
    }
    return reasoning;
  }

  /** What the first of them says is left to do. */
  async turnMayEnd(signal: AbortSignal): Promise<string | undefined> {
    for (const observer of this.#observers) {
      const left = await this.#guarded(observer, () => observer.turnMayEnd?.(signal), signal);
      if (left !== undefined) return left;
    }
    return undefined;
  }

  /** Everything the observers want the summary to heed. */
  async foldBegins(fold: FoldStart, signal: AbortSignal): Promise<readonly string[]> {
    const guidance: string[] = [];
    for (const observer of this.#observers) {
      const given = await this.#guarded(observer, () => observer.foldBegins?.(fold, signal), signal);
      if (given?.guidance !== undefined) guidance.push(given.guidance);
    }
    return guidance;
  }

  async turnEnded(end: TurnEnd): Promise<void> {
    for (const observer of this.#observers) await this.#guarded(observer, () => observer.turnEnded?.(end));
  }

  async #guarded<T>(
    observer: LoopObserver,
    ask: () => Promise<T> | undefined,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    try {
      return await ask();
    } catch (error) {
      if (signal && isAbort(error, signal)) return undefined;
      this.#tellFailure(observer, error);
      return undefined;
    }
  }

  #tellFailure({ name }: LoopObserver, error: unknown): void {
    this.#emit({ kind: "notice", level: "warning", code: "internal.bug", text: `${name} failed: ${errorText(error)}` });
  }
}
