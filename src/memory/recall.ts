/**
 * Which facts stand behind a person's message: pure, from the facts, the words and the time. Better none than a wrong
 * one: whatever is recalled is paid for in every later request and read by a model that trusts it.
 */
import { Bm25Index } from "../lib/bm25.ts";
import { toTerms } from "../lib/search_terms.ts";
import { type Fact, plainForm } from "./fact.ts";
import { subjectOf } from "./fact_store.ts";
import { type Freshness, freshnessOf } from "./freshness.ts";
import { isGeneric, withoutFunctionWords } from "./plain_words.ts";

export interface RecallSettings {
  /** Facts at most; 0 turns recall off. */
  readonly limit: number;
  /** Characters of all entries together. */
  readonly maxChars: number;
}

export interface RecalledFact {
  readonly fact: Fact;
  readonly freshness: Freshness;
  /** 0 to 1: the share of what the store knows of the question that this fact answers. */
  readonly score: number;
  /** Words of the question it has. */
  readonly matched: readonly string[];
}

export interface Recall {
  /** Best first. */
  readonly chosen: readonly RecalledFact[];
  /** Fit as well, beyond the limit. */
  readonly more: number;
  /** Why nothing was looked for. */
  readonly suppressed?: "generic" | "off" | "no_facts";
  /** Global facts that gave way to the project's own, by id. */
  readonly replaced: readonly string[];
}

/** Characters of a message that are looked at: what it is about stands at an end, long pastes are data. */
const LOOKED_AT = 4_000;
const FLOOR = 0.24;
const PROJECT_FACTOR = 1.08;
const STALE_FACTOR = 0.92;
const WEIGHTS = { title: 2, keywords: 2, description: 2, body: 1 };

/** The index over facts, for recall and for the memory tool. */
export function indexFacts(facts: readonly Fact[]): Bm25Index {
  const index = new Bm25Index();
  for (const { title, name, keywords, description, body } of facts) {
    index.add([
      // A name that only repeats the title in other signs adds nothing.
      { text: plainForm(name) === plainForm(title) ? title : `${title} ${name}`, weight: WEIGHTS.title },
      { text: keywords.join(" "), weight: WEIGHTS.keywords },
      { text: description, weight: WEIGHTS.description },
      { text: body, weight: WEIGHTS.body },
    ]);
  }
  return index;
}

export function recallFacts(
  text: string,
  facts: readonly Fact[],
  options: RecallSettings & { readonly now: number },
): Recall {
  const nothing = (suppressed: Recall["suppressed"]): Recall => ({ chosen: [], more: 0, suppressed, replaced: [] });
  if (options.limit === 0 || options.maxChars === 0) return nothing("off");
  if (isGeneric(text)) return nothing("generic");
  const open = facts.filter((fact) => fact.activation === "relevant" && freshnessOf(fact, options.now) !== "expired");
  if (open.length === 0) return nothing("no_facts");
  const question = looked(text);
  const terms = [...new Set(toTerms(withoutFunctionWords(question)))];
  const distinctive = distinctiveTerms(question);
  const index = indexFacts(open);
  // All that could be matched: words that no fact has say nothing about which fact is meant.
  const most = terms.reduce((sum, term) => sum + index.weightOf(term), 0);
  const found: RecalledFact[] = [];
  for (const { document, score, matched } of index.search(terms)) {
    const fact = open[document]!;
    const freshness = freshnessOf(fact, options.now);
    const factor = (fact.scope === "project" ? PROJECT_FACTOR : 1) * (freshness === "stale" ? STALE_FACTOR : 1);
    const share = score / most * factor;
    if (share >= FLOOR && isEnough(matched, terms, distinctive)) {
      found.push({ fact, freshness, score: share, matched });
    }
  }
  found.sort((a, b) => b.score - a.score);
  const isReplaced = ({ fact }: RecalledFact) => fact.scope === "global" && open.some((one) => isEquivalent(one, fact));
  const kept = found.filter((one) => !isReplaced(one));
  return {
    // A fact that says the words more than once would pass the whole.
    chosen: kept.slice(0, options.limit).map((one) => ({ ...one, score: Math.min(1, one.score) })),
    more: Math.max(0, kept.length - options.limit),
    replaced: found.filter(isReplaced).map(({ fact }) => fact.id),
  };
}

/** The same matter, as the project sees it. */
export function isEquivalent(project: Fact, global: Fact): boolean {
  if (project.scope !== "project" || global.scope !== "global") return false;
  const subject = subjectOf(project);
  return project.id === global.id || project.name === global.name ||
    plainForm(project.title) === plainForm(global.title) || (subject !== undefined && subject === subjectOf(global));
}

function looked(text: string): string {
  if (text.length <= LOOKED_AT) return text;
  return `${text.slice(0, LOOKED_AT / 2)}\n${text.slice(-LOOKED_AT / 2)}`;
}

/** Words that nobody writes by chance: `retry_limit`, `useEffect`, `#482`, `h2c`. */
function distinctiveTerms(text: string): ReadonlySet<string> {
  const words = text.match(/#?[\p{L}\p{N}_]+/gu) ?? [];
  const odd = words.filter((word) =>
    word.length >= 3 && (/[_#]|\p{Ll}\p{Lu}/u.test(word) || (/\d/.test(word) && /\D|\d{4}/.test(word)))
  );
  return new Set(odd.map((word) => toTerms(word)[0]).filter((term) => term !== undefined));
}

/** Two words in common, or one that cannot be chance. */
function isEnough(
  matched: readonly string[],
  terms: readonly string[],
  distinctive: ReadonlySet<string>,
): boolean {
  const [term = ""] = matched;
  return matched.length >= 2 || distinctive.has(term) || (terms.length <= 2 && term.length >= 6);
}
