/**
 * The signals that ask a program to end. While this lives none of them ends it by itself, not a second one either: what
 * was started is ended in order. Made before anything is started, and disposed of when nothing of it is left.
 */
import { settledWithin } from "./waiting.ts";

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

export type EndSignal = keyof typeof NUMBERS;

const LISTENED: readonly EndSignal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM", "SIGHUP"];

/** What a shell calls the end of a program by that signal. */
export const signalExitCode = (name: EndSignal): number => 128 + NUMBERS[name];

export class EndSignals implements Disposable {
  readonly #heard = Promise.withResolvers<void>();
  readonly #listeners = new Map<EndSignal, () => void>();
  #first: EndSignal | undefined;
  #tell: (name: EndSignal) => void;

  constructor(tell: (name: EndSignal) => void = () => {}) {
    this.#tell = tell;
    for (const name of LISTENED) {
      const listener = () => this.#hear(name);
      this.#listeners.set(name, listener);
      Deno.addSignalListener(name, listener);
    }
  }

  /** The first that came. */
  get first(): EndSignal | undefined {
    return this.#first;
  }

  /** Settles so long after the first one; never when none comes. */
  async heardFor(ms: number): Promise<void> {
    await this.#heard.promise;
    await new Promise((done) => setTimeout(done, ms));
  }

  /** Who is told from now on. */
  tell(listener: (name: EndSignal) => void): void {
    this.#tell = listener;
  }

  /** The value of a start; undefined when it has not come `graceMs` after a signal. Rejects as the start does. */
  async unlessStopped<T>(start: Promise<T>, { graceMs = 3_000 } = {}): Promise<T | undefined> {
    const stopped = this.#heard.promise.then(() => settledWithin(start, graceMs)).then((inTime) =>
      inTime ? start : undefined
    );
    return await Promise.race([start, stopped]);
  }

  #hear(name: EndSignal): void {
    this.#first ??= name;
    this.#heard.resolve();
    this.#tell(name);
  }

  [Symbol.dispose](): void {
    for (const [name, listener] of this.#listeners) Deno.removeSignalListener(name, listener);
    this.#listeners.clear();
  }
}
