/** What the person has written and the session has not taken yet: the queue, and the message that was just sent. */
export class Drafts {
  #queue: readonly string[] = [];
  #sent: string | undefined;

  get queue(): readonly string[] {
    return this.#queue;
  }

  add(text: string): void {
    this.#queue = [...this.#queue, text];
  }

  next(): string | undefined {
    const [first, ...rest] = this.#queue;
    this.#queue = rest;
    return first;
  }

  takeLast(): string | undefined {
    const last = this.#queue.at(-1);
    this.#queue = this.#queue.slice(0, -1);
    return last;
  }

  /** Counted from 1. */
  take(number: number): string | undefined {
    const text = this.#queue[number - 1];
    this.#queue = this.#queue.filter((_, at) => at !== number - 1);
    return text;
  }

  takeAll(): string {
    const all = this.#queue.join("\n\n");
    this.#queue = [];
    return all;
  }

  sent(text: string): void {
    this.#sent = text;
  }

  /** The message just sent, once. */
  unsend(): string | undefined {
    const text = this.#sent;
    this.#sent = undefined;
    return text;
  }

  settled(): void {
    this.#sent = undefined;
  }

  get canUnsend(): boolean {
    return this.#sent !== undefined;
  }
}
