/** Ranked search over texts held in memory, by BM25. Facts, recall and history all rank by these numbers. */
import { toTerms } from "./search_terms.ts";

const K1 = 1.2;
const B = 0.75;

/** A hit below this share of the best one is noise of common words. */
const RELATIVE_FLOOR = 0.15;

export interface Field {
  readonly text: string;
  /** A word here counts as often as this. */
  readonly weight: number;
}

export interface Hit {
  /** As `add` numbered it. */
  readonly document: number;
  readonly score: number;
  /** Terms of the query that the document has. */
  readonly matched: readonly string[];
}

interface Posting {
  readonly document: number;
  readonly count: number;
}

export class Bm25Index {
  readonly #postings = new Map<string, Posting[]>();
  readonly #lengths: number[] = [];
  #totalLength = 0;

  /** Answers the number of the document: they are counted from 0. */
  add(fields: readonly Field[]): number {
    const document = this.#lengths.length;
    const counts = new Map<string, number>();
    let length = 0;
    for (const { text, weight } of fields) {
      for (const term of toTerms(text)) {
        counts.set(term, (counts.get(term) ?? 0) + weight);
        length += weight;
      }
    }
    for (const [term, count] of counts) {
      const postings = this.#postings.get(term);
      if (postings) postings.push({ document, count });
      else this.#postings.set(term, [{ document, count }]);
    }
    this.#lengths.push(length);
    this.#totalLength += length;
    return document;
  }

  /** Every document that has a term, best first; equals in the order they were added. */
  search(terms: Iterable<string>): Hit[] {
    const found = new Map<number, { score: number; matched: string[] }>();
    const average = this.#totalLength / Math.max(1, this.#lengths.length);
    for (const term of new Set(terms)) {
      const weight = this.weightOf(term);
      for (const { document, count } of this.#postings.get(term) ?? []) {
        const score = weight * saturation(count, this.#lengths[document]! / average);
        const hit = found.get(document);
        if (hit) {
          hit.score += score;
          hit.matched.push(term);
        } else found.set(document, { score, matched: [term] });
      }
    }
    return [...found].map(([document, hit]) => ({ document, ...hit }))
      .sort((a, b) => b.score - a.score || a.document - b.document);
  }

  /** What a term tells: the rarer, the more. 0 for one that no document has. */
  weightOf(term: string): number {
    return rarity(this.#postings.get(term)?.length ?? 0, this.#lengths.length);
  }
}

/** What a term tells that `having` of `all` documents have; 0 for none. */
export function rarity(having: number, all: number): number {
  return having === 0 ? 0 : Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** How much `count` occurrences say in a text of so many times the average length. */
export function saturation(count: number, length: number): number {
  return count * (K1 + 1) / (count + K1 * (1 - B + B * length));
}

/** Hits, best first, without what is far below the best. The best stays, whatever its score. */
export function aboveFloor<T extends { readonly score: number }>(hits: readonly T[]): T[] {
  const floor = (hits[0]?.score ?? 0) * RELATIVE_FLOOR;
  return hits.filter(({ score }, at) => at === 0 || score >= floor);
}
