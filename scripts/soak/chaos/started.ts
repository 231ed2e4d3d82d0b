/** The program as a process: what it says, line by line, and how it ends. */
import type { Signal } from "./plan.ts";
import { endAll, livingOf } from "./processes.ts";
import type { World } from "./world.ts";

/** What is kept of one stream; the program may say more. */
const MOST_CHARS = 48 * 1024 * 1024;
/** Nothing a step does takes longer; what does has lost control and is killed. */
const LONGEST_MS = 120_000;
/** How long the pipes may stay open once the program has ended: somebody else may hold them. */
const DRAIN_MS = 2_000;

export interface Ending {
  readonly code: number;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
  /** It had to be killed. */
  readonly late: boolean;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Nobody reads its output any more after so many lines: the reader waits, or is gone. */
  readonly reader?: { readonly stopsAfter: number; readonly how: "waits" | "leaves" };
}

export class Started {
  readonly pid: number;
  readonly ended: Promise<Ending>;
  readonly #child: Deno.ChildProcess;
  #lines = 0;
  readonly #waiting: { readonly count: number; readonly tell: () => void }[] = [];

  constructor(world: World, step: string, args: readonly string[], options: StartOptions = {}) {
    this.#child = world.bed.start(args, { env: world.env(step, options.env) });
    this.pid = this.#child.pid;
    this.ended = this.#end(step, options.reader);
  }

  /** Settles with the n-th line of its output. */
  line(count: number): Promise<void> {
    return new Promise((tell) => {
      this.#waiting.push({ count, tell });
      this.#tell();
    });
  }

  kill(signal: Signal): void {
    try {
      this.#child.kill(signal);
    } catch {
      // It has ended.
    }
  }

  async #end(step: string, reader: StartOptions["reader"]): Promise<Ending> {
    let late = false;
    const limit = setTimeout(() => {
      late = true;
      endAll(livingOf(step));
      this.kill("SIGKILL");
    }, LONGEST_MS);
    const out = new Collected(this.#child.stdout, {
      onLine: () => {
        this.#lines++;
        this.#tell();
        return reader !== undefined && this.#lines >= reader.stopsAfter ? reader.how : undefined;
      },
    });
    const err = new Collected(this.#child.stderr);
    const { code, signal } = await this.#child.status;
    clearTimeout(limit);
    out.goOn();
    await Promise.race([Promise.all([out.done, err.done]), new Promise((done) => setTimeout(done, DRAIN_MS))]);
    await Promise.all([out.stop(), err.stop()]);
    return { code, signal, out: out.text, err: err.text, late };
  }

  #tell(): void {
    for (const { count, tell } of this.#waiting) if (this.#lines >= count) tell();
  }
}

class Collected {
  text = "";
  readonly done: Promise<void>;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #resume = Promise.withResolvers<void>();

  constructor(
    stream: ReadableStream<Uint8Array>,
    options: { readonly onLine?: () => "waits" | "leaves" | undefined } = {},
  ) {
    this.#reader = stream.getReader();
    this.done = this.#read(options.onLine);
  }

  /** What waited reads on. */
  goOn(): void {
    this.#resume.resolve();
  }

  async #read(onLine?: () => "waits" | "leaves" | undefined): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        const piece = decoder.decode(value, { stream: true });
        if (this.text.length < MOST_CHARS) this.text += piece;
        let stop: "waits" | "leaves" | undefined;
        for (let at = piece.indexOf("\n"); at >= 0; at = piece.indexOf("\n", at + 1)) stop = onLine?.() ?? stop;
        if (stop === "leaves") return await this.stop();
        if (stop === "waits") await this.#resume.promise;
      }
      this.text += decoder.decode();
    } catch {
      // The pipe broke with its program.
    }
  }

  async stop(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }
}
