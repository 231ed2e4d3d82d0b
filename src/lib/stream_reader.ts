/**
 * Reads a stream to its end, or until it is told to stop. What floods is read with rests, so that it costs neither a
 * core nor the screen its life; its writer waits meanwhile.
 */

/** Bytes: from `after` on there is a rest each `every`. */
export interface Rests {
  readonly after: number;
  readonly every: number;
}

const REST_MS = 5;

export class StreamReader {
  /** Settles when nothing more will come: with false where the stream broke, which ends it as well. Never rejects. */
  readonly closed: Promise<boolean>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #bytes = 0;

  constructor(stream: ReadableStream<Uint8Array>, onBytes: (bytes: Uint8Array) => void, rests?: Rests) {
    this.#reader = stream.getReader();
    this.closed = this.#read(onBytes, rests);
  }

  /** Received so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Settles when `onBytes` is called no more. */
  async stop(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
    await this.closed;
  }

  async #read(onBytes: (bytes: Uint8Array) => void, rests: Rests | undefined): Promise<boolean> {
    let sinceRest = 0;
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) return true;
        this.#bytes += value.length;
        sinceRest += value.length;
        onBytes(value);
        if (rests !== undefined && this.#bytes > rests.after && sinceRest > rests.every) {
          sinceRest = 0;
          await new Promise((rested) => setTimeout(rested, REST_MS));
        }
      }
    } catch {
      return false;
    }
  }
}
