/** Waits that end: with the promise, with a limit, or with a signal. None leaves a timer or a listener behind. */

/** The longest delay a timer takes, 25 days. Milliseconds. */
export const LONGEST_DELAY = 2 ** 31 - 1;

/** True when `promise` settles first, however it does; false when `ms` passed. Rejects only with the signal's reason. */
export async function settledWithin(promise: Promise<unknown>, ms: number, signal?: AbortSignal): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((done) => timer = setTimeout(() => done(false), Math.min(ms, LONGEST_DELAY)));
  const first = Promise.race([promise.then(() => true, () => true), late]);
  try {
    return await (signal ? untilAborted(first, signal) : first);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles as the promise does, or rejects with the signal's reason first. A promise left behind may reject unheard. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {});
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Settles when it does and never rejects. */
export function settled(promise: Promise<unknown>): Promise<void> {
  return promise.then(() => {}, () => {});
}
