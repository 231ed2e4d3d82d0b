/** Waiting for promises whose failure means nothing. */

/** True when `promise` settles first. Leaves no timer behind. */
export async function settledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((done) => timer = setTimeout(() => done(false), ms));
  try {
    return await Promise.race([promise.then(() => true, () => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles when it does and never rejects. */
export function quiet(promise: Promise<unknown>): Promise<void> {
  return promise.then(() => {}, () => {});
}
