/** One at a time, first come first served. Who waits can leave the queue. */
import { untilAborted } from "./waiting.ts";

export class SerialGate {
  #last: Promise<void> = Promise.resolve();

  /** Rejects with the signal's reason when it aborts while `work` waits; `work` is then never run. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#last;
    const mine = Promise.withResolvers<void>();
    // Whoever comes next waits for this one and for everyone before it, also when this one has left.
    this.#last = before.then(() => mine.promise);
    try {
      await (signal ? untilAborted(before, signal) : before);
      return await work();
    } finally {
      mine.resolve();
    }
  }
}
