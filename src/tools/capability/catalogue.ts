/** What `use_capability` can list: the tools that stand in no request, and the stored results. Local; starts nothing. */
import type { Capability, CapabilitySource } from "../../contract/capability.ts";
import type { Tool, ToolSet } from "../../contract/tool.ts";
import { clip } from "../../lib/clip.ts";

/** Sorted by id. */
export function capabilitiesOf(
  tools: ToolSet,
  own: readonly Tool[],
  sources: readonly CapabilitySource[] = [],
): Capability[] {
  const deferred = tools.names.map((name) => tools.find(name)!).filter((tool) => !tool.direct);
  return [
    ...deferred.map((tool) => ({ id: `tool:${tool.name}`, tool })),
    ...own.map((tool) => ({ id: tool.name, tool })),
    ...sources.flatMap((source) => source.list()),
  ].sort((a, b) => a.id < b.id ? -1 : 1);
}

/** Those that share words with the query, best first: a word in the id counts more than one in the description. */
export function searchCapabilities(all: readonly Capability[], query: string): Capability[] {
  const wanted = new Set(wordsOf(query));
  const frequency = new Map<string, number>();
  const documents = all.map((capability) => {
    const name = new Set(wordsOf(capability.id));
    const words = new Set([...name, ...wordsOf(capability.tool.description)]);
    for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    return { capability, name, words };
  });
  const scored = documents.map(({ capability, name, words }) => {
    let score = 0;
    for (const word of wanted) {
      const rarity = Math.log(1 + all.length / (frequency.get(word) ?? all.length));
      if (name.has(word)) score += 3 * rarity;
      else if (words.has(word)) score += rarity;
      else if ([...name].some((part) => part.startsWith(word) || (part.length > 3 && word.startsWith(part)))) {
        score += rarity;
      }
    }
    return { capability, score };
  });
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score).map(({ capability }) => capability);
}

/** One line: the first sentence of the description, shortened. */
export function summaryLine({ id, tool, status }: Capability): string {
  const flat = tool.description.replace(/\s+/g, " ").trim();
  const sentence = /^.{20,}?[.!?](?= |$)/u.exec(flat)?.[0] ?? flat;
  const marks = [...(tool.readOnly ? ["read-only"] : []), ...(status === undefined ? [] : [status])].join("; ");
  return `${id}${marks === "" ? "" : ` (${marks})`}: ${clip(sentence, 160)}`;
}

/** Words of Latin and other alphabets, camelCase and snake_case taken apart; single characters of scripts without blanks. */
function wordsOf(text: string): string[] {
  const apart = text.slice(0, 20_000).replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ").toLowerCase();
  const words = apart.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !EMPTY_WORDS.has(word));
}

const EMPTY_WORDS = new Set(["a", "an", "and", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"]);
