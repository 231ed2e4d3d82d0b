/**
 * The two streams of a command. Writing is synchronous, so that nothing is lost when the process ends. A reader that
 * went away is not an error: `closed` settles, later writes do nothing, and the command winds down quietly.
 */
export class Output {
  readonly #writer: { writeSync(bytes: Uint8Array): number };
  readonly #gone = Promise.withResolvers<unknown>();
  readonly #encoder = new TextEncoder();
  #open = true;

  constructor(writer: { writeSync(bytes: Uint8Array): number }) {
    this.#writer = writer;
  }

  /** Settles when the stream takes nothing more: with the error, or undefined when its reader closed it. */
  get closed(): Promise<unknown> {
    return this.#gone.promise;
  }

  /** Something could not be written: known at once, while `closed` is told a moment later. */
  get isBroken(): boolean {
    return !this.#open;
  }

  write(text: string): void {
    if (!this.#open) return;
    const bytes = this.#encoder.encode(text);
    try {
      for (let at = 0; at < bytes.length;) at += this.#writer.writeSync(bytes.subarray(at));
    } catch (error) {
      this.#open = false;
      this.#gone.resolve(error instanceof Deno.errors.BrokenPipe ? undefined : error);
    }
  }

  line(text: string): void {
    this.write(`${text}\n`);
  }
}

export interface Streams {
  readonly out: Output;
  readonly err: Output;
  /** Whether `out` is a terminal that may be coloured. */
  readonly colour: boolean;
}

export function processStreams(): Streams {
  const colour = Deno.stdout.isTerminal() && !Deno.noColor && Deno.env.get("TERM") !== "dumb";
  return { out: new Output(Deno.stdout), err: new Output(Deno.stderr), colour };
}
