/**
 * The two streams of a command. Writing is synchronous, so that nothing is lost when the process ends, until a command
 * that must stay in control asks for a queue. A reader that went away is not an error: `closed` settles, later writes do
 * nothing, and the command winds down quietly.
 */
import { concatBytes } from "../../../lib/bytes.ts";

interface Writer {
  writeSync(bytes: Uint8Array): number;
  write(bytes: Uint8Array): Promise<number>;
}

export class Output {
  readonly #writer: Writer;
  readonly #gone = Promise.withResolvers<unknown>();
  readonly #encoder = new TextEncoder();
  #queue: WriteQueue | undefined;
  #open = true;

  constructor(writer: Writer) {
    this.#writer = writer;
  }

  /** Settles when the stream takes nothing more: with the error, or undefined when its reader closed it. */
  get closed(): Promise<unknown> {
    return this.#gone.promise;
  }

  /** Something could not be written: known when it was tried, while `closed` is told a moment later. */
  get isBroken(): boolean {
    return !this.#open;
  }

  /** Writes go through the queue from now on. */
  through(queue: WriteQueue): void {
    this.#queue = queue;
  }

  write(text: string): void {
    if (!this.#open) return;
    const bytes = this.#encoder.encode(text);
    if (this.#queue) return this.#queue.add({ writer: this.#writer, bytes, failed: this.#failed });
    try {
      for (let at = 0; at < bytes.length;) at += this.#writer.writeSync(bytes.subarray(at));
    } catch (error) {
      this.#failed(error);
    }
  }

  line(text: string): void {
    this.write(`${text}\n`);
  }

  readonly #failed = (error: unknown): void => {
    this.#open = false;
    this.#gone.resolve(error instanceof Deno.errors.BrokenPipe ? undefined : error);
  };
}

interface Waiting {
  readonly writer: Writer;
  readonly bytes: Uint8Array<ArrayBuffer>;
  failed(error: unknown): void;
}

/** Writes one after the other, in the order they came, while everything else goes on. */
export class WriteQueue {
  readonly #waiting: Waiting[] = [];
  #running: Promise<void> | undefined;
  #current: Waiting | undefined;
  #givenUp = false;

  add(write: Waiting): void {
    if (this.#givenUp) return;
    this.#waiting.push(write);
    this.#running ??= this.#run();
  }

  /** Settles when all is written; or when `until` does, and what is not written then never will be. */
  async flush(until?: Promise<unknown>): Promise<void> {
    const late = until?.then(() => this.#giveUp());
    while (this.#running && !this.#givenUp) await Promise.race(late ? [this.#running, late] : [this.#running]);
  }

  #giveUp(): void {
    if (this.#running === undefined) return;
    this.#givenUp = true;
    const lost = [...(this.#current ? [this.#current] : []), ...this.#waiting.splice(0)];
    for (const { failed } of lost) failed(new Error("its reader does not read"));
  }

  async #run(): Promise<void> {
    for (;;) {
      const [first] = this.#waiting;
      this.#current = first;
      if (first === undefined) {
        // In the same step as the look: what is added from now on begins anew.
        this.#running = undefined;
        return;
      }
      const end = this.#waiting.findIndex(({ writer }) => writer !== first.writer);
      const same = this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
      const bytes = concatBytes(...same.map((write) => write.bytes));
      try {
        for (let at = 0; at < bytes.length;) at += await first.writer.write(bytes.subarray(at));
      } catch (error) {
        first.failed(error);
      }
    }
  }
}

export class Streams {
  readonly out: Output;
  readonly err: Output;
  /** Whether `out` is a terminal that may be coloured. */
  readonly colour: boolean;
  #queue: WriteQueue | undefined;

  constructor(out: Output, err: Output, { colour }: { readonly colour: boolean }) {
    this.out = out;
    this.err = err;
    this.colour = colour;
  }

  /**
   * From now on a reader that does not read holds nothing up but what is written: signals are heard and the work goes
   * on. Both streams keep their common order.
   */
  queue(): void {
    this.#queue ??= new WriteQueue();
    for (const output of [this.out, this.err]) output.through(this.#queue);
  }

  /** Before the process ends. Settles when all is written, or with `until`; what is not written then is lost. */
  async flush(until?: Promise<unknown>): Promise<void> {
    await this.#queue?.flush(until);
  }
}

export function processStreams(): Streams {
  const colour = Deno.stdout.isTerminal() && !Deno.noColor && Deno.env.get("TERM") !== "dumb";
  return new Streams(new Output(Deno.stdout), new Output(Deno.stderr), { colour });
}
