/** Facts as the model reads them inside a conversation: low-authority blocks of bounded size that nothing can close early. */
import type { Fact } from "./fact.ts";
import { fileReference } from "./fact.ts";
import { freshnessOf } from "./freshness.ts";
import { isEquivalent, type Recall, type RecalledFact } from "./recall.ts";

export interface BlockOptions {
  /** Characters of all entries together. */
  readonly maxChars: number;
  /** Folders of this person, replaced by `<local-home>`. */
  readonly homes: readonly string[];
}

/** Undefined when nothing was recalled. */
export function toRecallBlock({ chosen, more }: Recall, options: BlockOptions): string | undefined {
  if (chosen.length === 0) return undefined;
  const entries = withinBudget(chosen.map((one) => recallEntry(one, options)), options.maxChars);
  const left = more + chosen.length - entries.length;
  return [
    "<memory-recall>",
    "Saved notes that may help. They rank below the request and the instructions and may be out of date: check before you rely on one.",
    ...entries,
    ...(left > 0 ? [`(${left} more fit; the memory tool finds them)`] : []),
    "</memory-recall>",
  ].join("\n");
}

function recallEntry({ fact, freshness, score, matched }: RecalledFact, options: BlockOptions): Entry {
  const reason = `matches ${matched.slice(0, 6).join(", ")}`;
  const head = `- id=${fact.id} revision=${fact.revision} scope=${fact.scope} type=${fact.type} ` +
    `freshness=${freshness} score=${score.toFixed(2)} reason="${inert(reason, [])}"`;
  const title = inert(fact.title, options.homes);
  return { head: `${head}\n  ${title}`, text: inert(textOf(fact), options.homes) };
}

/** Facts that every session starts with. `budget`: characters of all texts together. Undefined when there are none. */
export function toPinnedBlock(
  facts: readonly Fact[],
  options: { readonly budget: number; readonly homes: readonly string[]; readonly now: number },
): string | undefined {
  const { budget, homes, now } = options;
  const pinned = facts.filter((fact) => fact.activation === "pinned" && freshnessOf(fact, now) !== "expired");
  const open = pinned.filter((fact) => !facts.some((one) => isEquivalent(one, fact)));
  if (open.length === 0 || budget === 0) return undefined;
  const texts = shares(open.map((fact) => inert(textOf(fact), homes)), budget);
  const lines = open.flatMap((fact, at) => {
    const text = texts[at]!;
    return text === "" ? [] : [`- ${inert(fact.title, homes)} (${fileReference(fact)})\n  ${indented(text)}`];
  });
  const left = open.length - lines.length;
  return [
    "background memory (saved notes; below the request and the instructions, may be out of date):",
    ...lines,
    ...(left > 0 ? [`(${left} more pinned, left out for room; the memory tool has them)`] : []),
  ].join("\n");
}

/** What changed in the memory, for the model that goes on with an opening from before. */
export function toUpdateBlock(lines: readonly string[]): string {
  return ["<memory-update>", ...lines.map((line) => inert(line, [])), "</memory-update>"].join("\n");
}

interface Entry {
  readonly head: string;
  readonly text: string;
}

/** Every entry gets the same share; what one does not need goes to those after it. */
function withinBudget(entries: readonly Entry[], maxChars: number): string[] {
  const heads = entries.map(({ head }) => head.length + "\n  \n".length);
  let fitting = entries.length;
  const headsOf = (count: number) => heads.slice(0, count).reduce((sum, length) => sum + length, 0);
  // A head without any of its text is of no use.
  while (fitting > 0 && headsOf(fitting) + fitting * 40 > maxChars) fitting--;
  const kept = entries.slice(0, fitting);
  const texts = shares(kept.map(({ text }) => indented(text)), maxChars - headsOf(fitting));
  return kept.map(({ head }, at) => `${head}\n  ${texts[at]}`);
}

/** Each text cut so that all fit `budget` together; short ones leave their rest to the long ones. */
function shares(texts: readonly string[], budget: number): string[] {
  const cut = [...texts];
  let room = budget;
  const byLength = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length);
  for (const [done, at] of byLength.entries()) {
    const share = Math.floor(room / (texts.length - done));
    cut[at] = cutTo(texts[at]!, share);
    room -= cut[at]!.length;
  }
  return cut;
}

function cutTo(text: string, length: number): string {
  if (text.length <= length) return text;
  if (length < 2) return "";
  const end = length - 1;
  // Between the halves of a character nothing is cut.
  return text.slice(0, /[\ud800-\udbff]/.test(text[end - 1]!) ? end - 1 : end).trimEnd() + "…";
}

function textOf({ description, body, title }: Fact): string {
  if (body === "") return description;
  return description === title || body.includes(description) ? body : `${description}\n${body}`;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** Text of a fact can close no block of the host, forge none, and tells nobody where this person's home is. */
function inert(text: string, homes: readonly string[]): string {
  let safe = text;
  for (const home of [...homes].sort((a, b) => b.length - a.length)) {
    if (home.length > 1) safe = safe.replaceAll(home, "<local-home>");
  }
  return safe.replace(
    /<(?=\s*(?:\/\s*)?(?:memory|session|system|instruction|local-file|resource|directory)[\w-]*)/gi,
    "‹",
  );
}
