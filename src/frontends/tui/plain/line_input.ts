/** Lines of the person, one reader at a time. Waiting can be woken, when a question comes in between, and ended. */
export class LineInput {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #lines: string[] = [];
  #rest = "";
  #ended = false;
  #waiting: { readonly what: string; readonly settle: (line: string | undefined) => void } | undefined;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.getReader();
    void this.#pump();
  }

  /** The next line; `""` after `wake` or `cancel`; undefined at the end. */
  next(what: string): Promise<string | undefined> {
    const line = this.#lines.shift();
    return line === undefined ? this.answer(what) : Promise.resolve(line);
  }

  /** As `next`, but a line that was typed before this was asked is no answer to it. */
  answer(what: string): Promise<string | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((settle) => this.#waiting = { what, settle });
  }

  /** Whoever waits for an ordinary message looks around. */
  wake(): void {
    this.cancel("prompt");
  }

  cancel(what: string): void {
    if (this.#waiting?.what === what) this.#give("");
  }

  end(): void {
    this.#ended = true;
    this.#give(undefined);
  }

  async close(): Promise<void> {
    this.#ended = true;
    await this.#reader.cancel().catch(() => {});
  }

  #give(line: string | undefined): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.settle(line);
  }

  async #pump(): Promise<void> {
    for (;;) {
      const { value, done } = await this.#reader.read().catch(() => ({ value: undefined, done: true }));
      if (done || value === undefined) return this.end();
      const parts = (this.#rest + this.#decoder.decode(value, { stream: true })).split("\n");
      this.#rest = parts.pop()!;
      for (const part of parts) {
        const line = part.replace(/\r$/, "");
        if (this.#waiting) this.#give(line);
        else this.#lines.push(line);
      }
    }
  }
}
