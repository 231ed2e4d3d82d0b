/** The end of a stream of bytes as text, in bounded memory. */

export class Tail {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #text = "";

  /** Characters. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Uint8Array): void {
    this.#text = (this.#text + this.#decoder.decode(bytes, { stream: true })).slice(-this.#limit);
  }

  get text(): string {
    return this.#text;
  }
}
