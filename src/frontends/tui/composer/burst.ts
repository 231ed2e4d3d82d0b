/**
 * Pastes of terminals without paste markers. They come as keys faster than anyone types, Enter included; such an Enter
 * is a line of the draft, never a command to send it. Once a terminal has shown that it marks its pastes, every Enter
 * is a key again.
 */

/** Milliseconds between two keys that no person reaches. */
const FASTER_THAN_HANDS = 12;

export class BurstWatch {
  readonly #now: () => number;
  #last = -Infinity;
  #marked = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** This terminal marks its pastes. */
  marked(): void {
    this.#marked = true;
  }

  /** True when the key belongs to a paste. Called once for each key that types. */
  key(): boolean {
    const now = this.#now();
    const fast = now - this.#last < FASTER_THAN_HANDS;
    this.#last = now;
    return fast && !this.#marked;
  }
}
