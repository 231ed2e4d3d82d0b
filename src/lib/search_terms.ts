/**
 * What a text says, as the search engine knows it: lower-cased runs of letters and digits. Identifiers also count as
 * their parts (`readFile`, `read_file` → `read`, `file`); scripts written without blanks count as overlapping pairs, so
 * no dictionary is needed. Queries and documents go through the same function.
 */
const RUN = /[\p{L}\p{N}\p{M}_]+/gu;
const ASCII = /^[\x00-\x7f]*$/;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]+/gu;
const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;

/** Longer runs are hashes and encoded bytes: their start stands for them. Characters. */
const LONGEST = 64;

/** In order, with repetitions. */
export function toTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [run] of text.normalize("NFKC").matchAll(RUN)) {
    if (ASCII.test(run)) addWord(run, terms);
    else addMixed(run, terms);
  }
  return terms;
}

function addMixed(run: string, terms: string[]): void {
  let from = 0;
  for (const { 0: unspaced, index } of run.matchAll(UNSPACED)) {
    if (index > from) addWord(run.slice(from, index), terms);
    addPairs(unspaced, terms);
    from = index + unspaced.length;
  }
  if (from < run.length) addWord(run.slice(from), terms);
}

function addPairs(text: string, terms: string[]): void {
  const characters = [...text.toLowerCase()];
  if (characters.length === 1) terms.push(characters[0]!);
  for (let at = 1; at < characters.length; at++) terms.push(characters[at - 1]! + characters[at]!);
}

function addWord(run: string, terms: string[]): void {
  const word = run.replace(/^_+|_+$/g, "");
  if (word === "") return;
  if (word.length > LONGEST) {
    terms.push(word.slice(0, LONGEST).toLowerCase());
    return;
  }
  terms.push(word.toLowerCase());
  // Most words have one part, and most text is such words.
  if (/^(?:[A-Z]?[a-z]+|[0-9]+)$/.test(word)) return;
  const parts = word.match(PART) ?? [];
  if (parts.length < 2) return;
  for (const part of parts) if (part.length > 1) terms.push(part.toLowerCase());
}
