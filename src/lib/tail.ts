/** The end of a stream of bytes, in bounded memory. Cheap to add to, whatever comes. */
export class Tail {
  readonly #limit: number;
  /** Pieces that hold at least the last `limit` bytes, and none that is wholly before them. */
  readonly #pieces: Uint8Array[] = [];
  #size = 0;

  /** Bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Uint8Array): void {
    const piece = bytes.length > this.#limit ? bytes.slice(-this.#limit) : bytes;
    this.#pieces.push(piece);
    this.#size += piece.length;
    while (this.#size - this.#pieces[0]!.length >= this.#limit) this.#size -= this.#pieces.shift()!.length;
  }

  /** As text: a little more than the limit where the pieces were small. */
  get text(): string {
    const decoder = new TextDecoder();
    return this.#pieces.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
  }
}
