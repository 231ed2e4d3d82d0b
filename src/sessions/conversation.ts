/**
 * The conversation in force, read off the stored messages: all of them but the marks, and without what a mark has cut
 * away. Where nothing was ever cut it costs one list.
 */
import type { Message } from "../contract/message.ts";

export class ConversationView {
  /** Shared with whoever looks: changed in place. */
  readonly messages: Message[] = [];
  /** Where each of them stands among the stored ones. */
  readonly #places: number[] = [];
  #stored = 0;
  /** What the last mark cut away, until something is said. */
  #cut: { readonly id: string; readonly messages: readonly Message[]; readonly places: readonly number[] } | undefined;
  #lastMark: string | undefined;

  constructor(stored: readonly Message[] = []) {
    for (const message of stored) this.add(message);
  }

  /** Id of the mark at the end. */
  get lastMark(): string | undefined {
    return this.#lastMark;
  }

  /** The mark that may be taken back. */
  get undoable(): string | undefined {
    return this.#cut?.id;
  }

  placeOf(index: number): number {
    return this.#places[index]!;
  }

  /** The next stored message. */
  add(message: Message): void {
    const place = this.#stored++;
    const { rewind: mark } = message;
    if (mark === undefined || message.local_only !== true) {
      this.messages.push(message);
      this.#places.push(place);
      this.#cut = undefined;
      this.#lastMark = undefined;
      return;
    }
    if ("undoes" in mark) {
      if (this.#cut?.id !== mark.undoes) return;
      for (const one of this.#cut.messages) this.messages.push(one);
      for (const one of this.#cut.places) this.#places.push(one);
      this.#cut = undefined;
    } else if (Number.isSafeInteger(mark.keep) && mark.keep >= 0) {
      this.#cut = { id: mark.id, messages: this.messages.splice(mark.keep), places: this.#places.splice(mark.keep) };
    }
    this.#lastMark = mark.id;
  }
}
