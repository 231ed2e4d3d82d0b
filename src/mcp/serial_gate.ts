/** One at a time, first come first served. Who waits can leave the queue. */

export class SerialGate {
  #last: Promise<void> = Promise.resolve();

  /** Rejects with the signal's reason when it aborts while `work` waits; `work` is then never run. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = Promise.withResolvers<void>();
    // Whoever comes next waits for this one and for everyone before it, also when this one has left.
    this.#last = before.then(() => mine.promise);
    const left = Promise.withResolvers<never>();
    left.promise.catch(() => {});
    const leave = () => left.reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    try {
      signal.throwIfAborted();
      await Promise.race([before, left.promise]);
      return await work();
    } finally {
      signal.removeEventListener("abort", leave);
      mine.resolve();
    }
  }
}
