/** One thing worth knowing in later sessions. Facts rank below the request and the instructions. */
import { toLine } from "../lib/terminal_text.ts";

export const FACT_TYPES = ["user", "feedback", "project", "reference"] as const;
export const FACT_SCOPES = ["project", "global"] as const;
export const ACTIVATIONS = ["relevant", "pinned"] as const;
export const VOLATILITIES = ["evergreen", "stable", "volatile"] as const;

export type FactType = typeof FACT_TYPES[number];
export type FactScope = typeof FACT_SCOPES[number];
/** `pinned`: in the opening of every session, never recalled. */
export type Activation = typeof ACTIVATIONS[number];
export type Volatility = typeof VOLATILITIES[number];

export interface Fact {
  /** Never changes. */
  readonly id: string;
  /** From 1; only grows. */
  readonly revision: number;
  readonly scope: FactScope;
  /** File name without its extension; never changes. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly type: FactType;
  readonly activation: Activation;
  /** Absent: the type says how fast it ages. */
  readonly volatility?: Volatility;
  /** At most one active fact of a scope has it. */
  readonly subjectKey?: string;
  /** RFC 3339, as are the others. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastVerifiedAt?: string;
  readonly expiresAt?: string;
  /** Markdown. */
  readonly body: string;
  /** Lines of the file's head that this version does not know: kept as they are. */
  readonly unknown: readonly string[];
}

/** `project/name.md`: how a fact's file is named to models and people. */
export function fileReference({ scope, name }: Pick<Fact, "scope" | "name">): string {
  return `${scope}/${name}.md`;
}

/** From a list, or from one text with commas: what a fact keeps of them. */
export function toKeywords(words: string | readonly string[]): readonly string[] {
  const list = typeof words === "string" ? words.split(/[,，]/) : words;
  return list.map((word) => toLine(word, 60)).filter((word) => word !== "").slice(0, 32);
}

/** For "is it the same?": letters and digits alone, in one case. */
export function plainForm(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
