/** Moments of a step, and how long things take by a clock that knows when this machine itself was late. */
import type { Served } from "./endpoint.ts";
import type { Moment } from "./plan.ts";
import type { Started } from "./started.ts";

export const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** Settles at the moment; never when it does not come. */
export async function moment({ of, count, ms }: Moment, started: Started, served: Served): Promise<void> {
  if (of === "request") await served.request(count);
  if (of === "line") await started.line(count);
  await pause(ms);
}

/** Waits for what has to come; says what did not. */
export async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`${what} did not come within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const BEAT_MS = 50;

/** Milliseconds since `start`, without those in which this process did not get to run either. */
export class Stopwatch {
  readonly #start = performance.now();
  #late = 0;
  #last = this.#start;
  readonly #beat: ReturnType<typeof setInterval>;

  constructor() {
    this.#beat = setInterval(() => {
      const now = performance.now();
      this.#late += Math.max(0, now - this.#last - BEAT_MS * 1.5);
      this.#last = now;
    }, BEAT_MS);
  }

  stop(): number {
    clearInterval(this.#beat);
    return performance.now() - this.#start - this.#late;
  }
}
