/**
 * The output of one command in bounded memory: the beginning and the end are kept whole, what lies between is only
 * counted. Bytes are decoded as UTF-8 across writes and freed of terminal sequences.
 */
import { TerminalStream } from "./terminal_stream.ts";

/** Characters kept at each end. */
const KEPT = 1 << 20;

/** Pieces are joined up to this size, so that a million tiny writes are not a million strings. */
const PIECE = 16 * 1024;

export class BoundedOutput {
  readonly #kept: number;
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #terminal = new TerminalStream();
  #head = "";
  #tail: string[] = [];
  #tailLength = 0;
  /** Characters of complete lines so far, dropped ones included. */
  #length = 0;
  #ended = false;
  #bytes = 0;

  constructor(options: { readonly kept?: number } = {}) {
    this.#kept = options.kept ?? KEPT;
  }

  /** Bytes received. */
  get bytes(): number {
    return this.#bytes;
  }

  /** End of the complete lines; where a reading that has seen everything goes on. */
  get position(): number {
    return this.#length;
  }

  /** Answers the text that is settled now. */
  write(bytes: Uint8Array): string {
    if (this.#ended) return "";
    this.#bytes += bytes.length;
    return this.#append(this.#terminal.write(this.#decoder.decode(bytes, { stream: true })));
  }

  /** Nothing more will come. Answers what was unfinished. */
  end(): string {
    if (this.#ended) return "";
    const rest = this.#terminal.write(this.#decoder.decode()) + this.#terminal.end();
    this.#ended = true;
    return this.#append(rest);
  }

  /** The unfinished last line. */
  get pending(): string {
    return this.#ended ? "" : this.#terminal.pending;
  }

  /** From a position on; what is no longer kept is stated. */
  since(position: number): string {
    const tailStart = this.#length - this.#tailLength;
    const tail = this.#tail.join("");
    let text: string;
    if (position >= tailStart) text = tail.slice(position - tailStart);
    else {
      const from = Math.max(position, this.#head.length);
      const gap = from < tailStart ? this.#gap(tailStart - from) : "";
      text = this.#head.slice(position) + gap + tail;
    }
    return text + this.pending;
  }

  text(): string {
    return this.since(0);
  }

  #gap(characters: number): string {
    return `\n…[${characters} characters left out here; the command wrote ${this.#bytes} bytes in all. ` +
      `To keep everything, write to a file]…\n`;
  }

  #append(text: string): string {
    this.#length += text.length;
    const room = this.#kept - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length > room) this.#appendTail(room > 0 ? text.slice(room) : text);
    return text;
  }

  #appendTail(text: string): void {
    const last = this.#tail.at(-1);
    if (last !== undefined && last.length + text.length <= PIECE) this.#tail[this.#tail.length - 1] = last + text;
    else this.#tail.push(text);
    this.#tailLength += text.length;
    while (this.#tailLength - this.#tail[0]!.length >= this.#kept) this.#tailLength -= this.#tail.shift()!.length;
  }
}
