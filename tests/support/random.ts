/** Chance that can be had again: equal seeds give equal sequences. */

/** Numbers in [0, 1). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = createRandom(seed);
  }

  /** A whole number from `from` up to and without `to`. */
  between(from: number, to: number): number {
    return Math.floor(from + this.#random() * (to - from));
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.between(0, values.length)]!;
  }

  /** A name, as often as its weight says. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.#random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries.at(-1)![0];
  }

  /** Up to `most` of what `make` makes, at least `least`. */
  list<T>(least: number, most: number, make: () => T): T[] {
    return Array.from({ length: this.between(least, most + 1) }, make);
  }
}
