/** Bytes into lines, in bounded memory: of a line over the limit only its two ends are kept. */

export interface OverlongLine {
  readonly head: string;
  readonly tail: string;
}

/** Enough to find the id of an answer at either end of it. */
const KEPT = 512;

export class LineReader {
  readonly #limit: number;
  readonly #decoder = new TextDecoder();
  #pieces: string[] = [];
  #size = 0;
  #over: { head: string; tail: string } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Complete lines in order, without their ends. */
  push(bytes: Uint8Array): (string | OverlongLine)[] {
    const parts = this.#decoder.decode(bytes, { stream: true }).split("\n");
    const lines: (string | OverlongLine)[] = [];
    for (const [at, part] of parts.entries()) {
      this.#add(part);
      if (at < parts.length - 1) lines.push(this.#take());
    }
    return lines;
  }

  /** What stands after the last line end. */
  end(): string | OverlongLine {
    this.#add(this.#decoder.decode());
    return this.#take();
  }

  #add(text: string): void {
    if (this.#over) {
      this.#over.tail = (this.#over.tail + text).slice(-KEPT);
      return;
    }
    this.#pieces.push(text);
    this.#size += text.length;
    if (this.#size <= this.#limit) return;
    const whole = this.#pieces.join("");
    this.#over = { head: whole.slice(0, KEPT), tail: whole.slice(-KEPT) };
    this.#pieces = [];
  }

  #take(): string | OverlongLine {
    const line = this.#over ?? this.#pieces.join("").replace(/\r$/, "");
    this.#over = undefined;
    this.#pieces = [];
    this.#size = 0;
    return line;
  }
}
