/**
 * A timer that does not burden the start of the program: the global `setTimeout` loads Node's timers at its first use
 * (about 3 ms and 4 MB), `AbortSignal.timeout` does not. The price: a stopped timer is forgotten, not taken back. For
 * limits beside work that is in flight, not for waiting.
 */

/** Answers what stops it. Milliseconds. A stopped timer does not keep the program alive. */
export function startQuietTimer(ms: number, onFire: () => void): () => void {
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(ms)));
  signal.addEventListener("abort", onFire, { once: true });
  return () => signal.removeEventListener("abort", onFire);
}
