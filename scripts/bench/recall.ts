/**
 * The recall laboratory: `deno run -A --no-check scripts/bench/recall.ts`. A labelled set of facts and questions in English
 * and Chinese; how often the right fact is recalled, and how often a wrong one, or any where nothing should be.
 */
import type { Fact } from "../../src/memory/fact.ts";
import { recallFacts } from "../../src/memory/recall.ts";

interface LabelledSet {
  readonly facts: readonly Pick<Fact, "name" | "title" | "description" | "body">[];
  /** `fact`: name of the one that answers. */
  readonly questions: readonly { readonly text: string; readonly fact: string }[];
  readonly small_talk: readonly string[];
  /** Real questions that no fact is about. */
  readonly unrelated: readonly string[];
}

export interface RecallReport {
  readonly facts: number;
  readonly questions: number;
  /** Shares of the questions whose fact is the first, is among five, is among the four of a session. */
  readonly first: number;
  readonly recallAt5: number;
  readonly inSession: number;
  /** Recalled facts that do not answer, for each question. */
  readonly besides: number;
  /** Messages that recalled anything. */
  readonly smallTalk: readonly string[];
  readonly unrelated: readonly string[];
  readonly missed: readonly string[];
}

export async function measureRecall(): Promise<RecallReport> {
  const path = new URL("../../tests/fixtures/recall/labelled.json", import.meta.url);
  const set: LabelledSet = JSON.parse(await Deno.readTextFile(path));
  const time = "2026-05-01T00:00:00.000Z";
  const facts = set.facts.map((fact): Fact => ({
    ...fact,
    id: `mem-${fact.name}`,
    revision: 1,
    scope: "project",
    keywords: [],
    type: "project",
    activation: "relevant",
    createdAt: time,
    updatedAt: time,
    unknown: [],
  }));
  const options = { maxChars: 2400, now: Date.parse(time) };
  const recalled = (text: string, limit: number) =>
    recallFacts(text, facts, { ...options, limit }).chosen.map(({ fact }) => fact.name);
  const answers = set.questions.map(({ text, fact }) => ({ text, fact, five: recalled(text, 5) }));
  const share = (fits: (answer: typeof answers[number]) => boolean) => answers.filter(fits).length / answers.length;
  return {
    facts: facts.length,
    questions: answers.length,
    first: share(({ fact, five }) => five[0] === fact),
    recallAt5: share(({ fact, five }) => five.includes(fact)),
    inSession: share(({ fact, five }) => five.slice(0, 4).includes(fact)),
    besides: answers.reduce((sum, { fact, five }) => sum + five.slice(0, 4).filter((one) => one !== fact).length, 0) /
      answers.length,
    smallTalk: set.small_talk.filter((text) => recalled(text, 4).length > 0),
    unrelated: set.unrelated.filter((text) => recalled(text, 4).length > 0),
    missed: answers.filter(({ fact, five }) => !five.includes(fact)).map(({ text }) => text),
  };
}

if (import.meta.main) {
  const report = await measureRecall();
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  console.log(`${report.facts} facts, ${report.questions} questions
recall@5                ${percent(report.recallAt5)}
within the four sent    ${percent(report.inSession)}
right one first         ${percent(report.first)}
wrong ones beside it    ${report.besides.toFixed(2)} a question
small talk              ${report.smallTalk.length} recalled something
unrelated questions     ${report.unrelated.length} recalled something`);
  for (const text of [...report.smallTalk, ...report.unrelated]) console.log(`false: ${text}`);
  for (const text of report.missed) console.log(`missed: ${text}`);
}
