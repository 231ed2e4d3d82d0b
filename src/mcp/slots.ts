/** So many at one time; the others wait their turn. */

export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Answers what gives the slot back. Rejects when `signal` aborts while waiting. */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else {
      const turn = Promise.withResolvers<void>();
      const leave = () => {
        const at = this.#waiting.indexOf(turn.resolve);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        turn.reject(signal.reason);
      };
      this.#waiting.push(turn.resolve);
      signal.addEventListener("abort", leave, { once: true });
      await turn.promise.finally(() => signal.removeEventListener("abort", leave));
    }
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
  }
}
